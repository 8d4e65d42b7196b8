/** The frame of signed-in pages: username, navigation and sign-out. */
import { signOutForm } from "./form.ts"
import { type Html, html, type Insertable } from "../../kernel/html.ts"
import type { TextKey } from "../languages/texts.ts"
import { type PageInput, renderDocument } from "./layout.ts"
import { brand } from "./brand.ts"
import { shownName } from "./shown-text.ts"
import { pageSheet, style } from "./style/style.ts"

export const accountStyle = pageSheet(["account", "signed-in", "own-app"], style)

/** The authorization that waits in this browser for its consent page. */
export type WayBack = {
  /** The path and query of the page that continues, relative to the base path. */
  readonly path: string
  readonly appName: string | null
}

export type SignedInInput = PageInput & {
  /** Account pages then link to it. */
  readonly waitingHere?: WayBack | null
  readonly username: string
  readonly admin: boolean
  readonly csrf: string
}

type Place = {
  /** The path is relative to the base path. */
  readonly path: string
  readonly label: string
}

/** The pages of one part of the service, with the current page. */
export type Navigation = {
  /** The label for screen readers. */
  readonly label: string
  readonly places: readonly Place[]
  /** The path of the current page. The value is null if the page is not in the navigation. */
  readonly here: string | null
  /** A link to another part of the service. */
  readonly elsewhere?: Place | null
}

type SignedInFrame = {
  readonly title: string
  readonly navigation: Navigation
  readonly main: Insertable
  /** `column` is for text and forms. `broad` is for tables and plots. */
  readonly breadth?: "column" | "broad"
  /** Whether the content is as narrow as a form. */
  readonly isNarrow?: boolean | undefined
  readonly script?: string | undefined
  /** This style sheet replaces the default style sheet. */
  readonly sheet?: string
  readonly product?: string
}

export function renderSignedIn(
  input: SignedInInput,
  {
    title,
    navigation,
    main,
    breadth = "column",
    isNarrow = false,
    sheet = accountStyle,
    script,
    product,
  }: SignedInFrame,
): string {
  const { basePath, texts, username, csrf } = input
  const top = html`<header class="top ${breadth}">
    <div class="top-line">
      <a class="brand" href="${basePath}/account">${brand(input)}</a>
      <p class="whoami">
        <span class="unseen">${texts.html("frame.signed-in-as")} </span
        ><bdi>${shownName(username, texts.plain("frame.no-name"))}</bdi>
      </p>
      ${signOutForm(input, csrf)}
    </div>
    ${navigationOf(basePath, navigation)}
  </header>`
  const look = `card sheet ${breadth}${isNarrow ? " narrow" : ""}`
  return renderDocument(input, { title, main: html`${main}`, top, look, sheet, script, product })
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
  { path: "/account", key: "frame.account" },
  { path: "/account/apps", key: "frame.apps" },
  { path: "/account/activity", key: "frame.activity" },
  { path: "/account/security", key: "frame.security" },
] as const satisfies readonly { readonly path: string; readonly key: TextKey }[]

export type AccountPlace = (typeof accountPlaces)[number]["path"]

type AccountFrame = Pick<SignedInFrame, "title" | "main" | "isNarrow" | "script"> & {
  readonly here: AccountPlace
}

/** Renders the page of a form below "Sign-in and security". */
export function renderSecurityForm(
  input: SignedInInput,
  form: Pick<AccountFrame, "title" | "main" | "script">,
): string {
  return renderAccountPage(input, { ...form, here: "/account/security", isNarrow: true })
}

/** Returns the account navigation, with a link to the console for administrators. */
export function accountNavigation(
  { texts, admin }: Pick<SignedInInput, "texts" | "admin">,
  here: AccountPlace,
): Navigation {
  return {
    label: texts.plain("frame.label"),
    places: accountPlaces.map(({ path, key }) => ({ path, label: texts.plain(key) })),
    here,
    elsewhere: admin ? { path: "/console", label: texts.plain("frame.console") } : null,
  }
}

export function renderAccountPage(input: SignedInInput, { here, main, ...shown }: AccountFrame): string {
  const navigation = accountNavigation(input, here)
  return renderSignedIn(input, { ...shown, main: html`${wayBack(input)}${main}`, navigation })
}

/** Links to the authorization that waits. RECOVER-8. */
function wayBack({ basePath, texts, waitingHere = null }: SignedInInput): Html | false {
  if (waitingHere === null) return false
  const { path, appName } = waitingHere
  const from = appName === null ? "device" : "app"
  const app = html`<bdi>${shownName(appName ?? "", texts.plain("frame.waiting.unnamed"))}</bdi>`
  return html`<div class="done">
    <p>
      ${texts.html(`frame.waiting.${from}`)}
      <a href="${basePath}${path}">${texts.html(`frame.continue.${from}`, { app })}</a>
    </p>
  </div>`
}
