/** The frame of the pages of somebody who is signed in: who that is, where to go, and the way out. */
import { signOutForm } from "./form.ts"
import { type Html, html, type Insertable } from "../kernel/html.ts"
import { type PageInput, renderDocument } from "./layout.ts"
import { mark, PRODUCT } from "./mark.ts"
import { shownName } from "./shown-text.ts"

/** Whoever is signed in; every page of theirs is given this. */
export type SignedInInput = PageInput & {
  readonly username: string
  readonly admin: boolean
  readonly csrf: string
}

export type Place = {
  /** Below the base path, as routes name it. */
  readonly path: string
  readonly label: string
}

/** The places of one part of the service, and which of them the page belongs to. */
export type Navigation = {
  /** Read out to who cannot see that it is one. */
  readonly label: string
  readonly places: readonly Place[]
  /** The path of one of the places; null where the page belongs to none. */
  readonly here: string | null
  /** The way to another part of the service; stands apart from the places. */
  readonly elsewhere?: Place | null
}

type SignedInFrame = {
  readonly title: string
  readonly navigation: Navigation
  readonly main: Insertable
  /** `column` is for reading and for forms, `broad` for tables and plots. */
  readonly breadth?: "column" | "broad"
  /** What stands in the column is no wider than a form is. */
  readonly isNarrow?: boolean | undefined
  /** As of every page. */
  readonly script?: string | undefined
  /** The style sheet, where it is another than that of most pages. */
  readonly sheet?: string
}

/** The whole document of a signed-in person's page. */
export function renderSignedIn(
  { basePath, username, csrf }: SignedInInput,
  { title, navigation, main, breadth = "column", isNarrow = false, sheet, script }: SignedInFrame,
): string {
  const top = html`<header class="top ${breadth}">
    <div class="top-line">
      <a class="brand" href="${basePath}/account">${mark}<span>${PRODUCT}</span></a>
      <p class="whoami">
        <span class="unseen">Signed in as </span><bdi>${shownName(username, "no name")}</bdi>
      </p>
      ${signOutForm(basePath, csrf, "Sign out", "link")}
    </div>
    ${navigationOf(basePath, navigation)}
  </header>`
  const look = `card sheet ${breadth}${isNarrow ? " narrow" : ""}`
  return renderDocument({ basePath, title, main: html`${main}`, top, look, sheet, script })
}

function navigationOf(basePath: string, { label, places, here, elsewhere = null }: Navigation): Html {
  const link = ({ path, label: text }: Place) =>
    html`<a href="${basePath}${path}" data-label="${text}" ${path === here && html` aria-current="page"`}
      >${text}</a
    >`
  return html`<nav class="places" aria-label="${label}">
    <ul>
      ${places.map((place) => html`<li>${link(place)}</li>`)}${elsewhere !== null && html`<li class="elsewhere">${link(elsewhere)}</li>`}
    </ul>
  </nav>`
}

const accountPlaces = [
  { path: "/account", label: "Apps and devices" },
  { path: "/account/apps", label: "My apps" },
  { path: "/account/activity", label: "Activity" },
  { path: "/account/security", label: "Sign-in and security" },
] as const satisfies readonly Place[]

const console: Place = { path: "/console", label: "Console" }

export type AccountPlace = (typeof accountPlaces)[number]["path"]

type AccountFrame = Pick<SignedInFrame, "title" | "main" | "isNarrow" | "script"> & {
  readonly here: AccountPlace
}

/** A form of "sign-in and security". */
export function renderSecurityForm(
  input: SignedInInput,
  form: Pick<AccountFrame, "title" | "main" | "script">,
): string {
  return renderAccountPage(input, { ...form, here: "/account/security", isNarrow: true })
}

/** Administrators find the way to the console on it. */
export function accountNavigation({ admin }: Pick<SignedInInput, "admin">, here: AccountPlace): Navigation {
  return { label: "Your account", places: accountPlaces, here, elsewhere: admin ? console : null }
}

/** A page of the account. */
export function renderAccountPage(input: SignedInInput, { here, ...shown }: AccountFrame): string {
  return renderSignedIn(input, { ...shown, navigation: accountNavigation(input, here) })
}
