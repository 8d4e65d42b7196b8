/**
 * The consent page. It shows the app, the account, the permissions and the redirect host. Its form contains only a
 * decision and a sealed ticket. Interface: table "Consent"; RFC 6749 §3.1, RFC 9700 §4.16.
 */
import type { DocumentPart } from "../../model/clients/document.rules.ts"
import type { RegisteredBy } from "../../model/clients/client.rules.ts"
import { lifetimeOf } from "../../platform/languages/span.rules.ts"
import type { TextKey, Texts } from "../../platform/languages/texts.ts"
import { appName, registrar, unchecked } from "../../platform/ui/app-line.ts"
import { hidden, signOutForm } from "../../platform/ui/form.ts"
import { type Html, html } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { caution } from "../../platform/ui/mark.ts"
import { type AppView, appTile } from "../../platform/ui/monogram.ts"
import {
  grantedPermissions,
  type PermissionView,
  refusedPermissions,
} from "../../platform/ui/permission-list.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { agoInWords, secondOf } from "../../platform/ui/instant.ts"
import { fact } from "../../platform/ui/parts.ts"

export type ReturnsTo = {
  readonly kind: "web" | "loopback" | "private"
  /** The host, with the port of a loopback URI. For a private-use redirect URI, this is the scheme. */
  readonly host: string
}

/** The sender of the request: a browser that returns to the app, or a device that polls. */
type RequestOrigin =
  | { readonly from: "browser"; readonly returnsTo: ReturnsTo }
  | {
      readonly from: "device"
      /** The user code in the form that the device shows. */
      readonly userCode: string
      readonly address: string
      readonly askedAt: number
      readonly askedSecondsAgo: number
    }

/** What the page says of an app that no person of this service registered. */
export type ConsentNotice = {
  /** Whether every redirect URI leads to a program on the person's device. */
  readonly isLocal: boolean
  /** The parts of the app's document that changed after this account last allowed the app. */
  readonly changed: readonly DocumentPart[]
}

export type ConsentInput = PageInput & {
  readonly app: AppView & {
    readonly registeredBy: RegisteredBy
    /** The username of the account that registered the app. */
    readonly ownerName: string | null
  }
  /** The member is present only for an app that registered itself or describes itself in a document. */
  readonly notice?: ConsentNotice | undefined
  readonly username: string
  readonly installationName: string | null
  /** The names of the requested resource servers in the operator's list. */
  readonly resourceNames?: readonly string[]
  /** Everything that Authorize grants, implied permissions included. If it is empty, the page offers only Refuse. */
  readonly granted: readonly PermissionView[]
  /** Requested permissions that only an administrator can grant. */
  readonly refusedToAccount: readonly PermissionView[]
  /** Requested permissions that are for groups that this account is not in. */
  readonly refusedByGroups?: readonly PermissionView[]
  /** False if the app is for groups that this account is not in. The page then lists no permission. */
  readonly isForAccount?: boolean
  readonly origin: RequestOrigin
  readonly lastsSeconds: number
  /** Whether the access ends with the sign-in session of this browser. */
  readonly endsWithSession?: boolean
  /** Whether the app does not ask again after this consent. */
  readonly remembers?: boolean
  /** The sealed request. After a sign-in with another account, the request continues. */
  readonly continueTo: string
  readonly ticket: string
  readonly csrf: string
}

function registration({ app, texts }: ConsentInput): Html {
  const isUnchecked = app.registeredBy === "itself" || (app.registeredBy === "document" && !app.verified)
  if (!isUnchecked) return registrar(texts, app)
  const words = unchecked(texts, app)
  return html`<span class="unchecked">${caution}<span>${words}</span></span>`
}

function destination(texts: Texts, { kind, host }: ReturnsTo): Html {
  switch (kind) {
    case "web":
      return texts.html("consent.returns.web", {
        host: html`<strong class="host"><bdi>${host}</bdi></strong>`,
      })
    case "loopback":
      return texts.html("consent.returns.loopback", {
        host: html`<span class="host">(<bdi>${host}</bdi>)</span>`,
      })
    case "private":
      return texts.html("consent.returns.private", {
        scheme: html`<strong class="host"><bdi>${host.replace(/:$/, "")}:</bdi></strong>`,
      })
  }
}

/** Renders the code and the device's address, so that the person can compare both. RFC 8628 §3.3.1 and §5.4. */
function comparison(
  texts: Texts,
  { userCode, address, askedAt, askedSecondsAgo }: Extract<RequestOrigin, { from: "device" }>,
): Html {
  return html`<section class="compare" aria-labelledby="compare">
    <h2 id="compare">${texts.html("consent.device.code")}</h2>
    <p class="user-code"><code>${userCode}</code></p>
    <p>
      ${texts.html("consent.device.began", {
        ago: agoInWords(texts, askedSecondsAgo),
        when: secondOf(texts, askedAt),
        address: html`<strong><bdi>${address}</bdi></strong>`,
      })}
      ${texts.html("consent.device.warning")}
    </p>
  </section>`
}

function facts(input: ConsentInput): Html {
  const { texts, username, installationName, csrf, continueTo, resourceNames = [] } = input
  const account = html`<strong><bdi>${shownName(username, texts.plain("common.unnamed"))}</bdi></strong>`
  return html`<dl class="facts">
    ${fact(texts.html("consent.app"), html`<span>${registration(input)}</span>`)}
    ${fact(
      texts.html("consent.signed-in"),
      html`<span>${texts.html("consent.signed-in-as", { account })}</span>
        <span class="aside">${texts.html("consent.not-you")} ${signOutForm(input, csrf, continueTo)}</span>`,
    )}
    ${
      installationName !== null &&
      fact(
        texts.html("consent.label"),
        html`<bdi>${shownName(installationName, texts.plain("consent.label.none"), 100)}</bdi>
          <span class="aside">${texts.html("consent.label.origin")}</span>`,
      )
    }
    ${
      resourceNames.length > 0 &&
      fact(
        texts.html("consent.works-at"),
        html`<span>${texts.formats.list(resourceNames.map((name) => html`<bdi>${name}</bdi>`))}</span>`,
      )
    }
  </dl>`
}

const changes: { readonly [K in DocumentPart]: "addresses" | "keys" } = {
  redirect_uris: "addresses",
  keys: "keys",
}

/** Renders warnings above the buttons. They say that a program could pose as the app, and what the app changed. */
function notices(texts: Texts, { isLocal, changed: [first, ...more] }: ConsentNotice): Html {
  const warning = (key: TextKey) => html`<p class="unchecked">${caution}<span>${texts.html(key)}</span></p>`
  return html`${
    first !== undefined && warning(`consent.changed.${more.length > 0 ? "both" : changes[first]}`)
  }${isLocal && warning("consent.local")}`
}

function duration({ texts, lastsSeconds, endsWithSession = false, remembers = false }: ConsentInput): Html {
  const lasts = endsWithSession
    ? texts.html("consent.lasts-with-session")
    : texts.html("consent.lasts", lifetimeOf(lastsSeconds))
  const both = { first: lasts, second: texts.html("consent.ends-any-time") }
  const place = html`<strong>${texts.html("account.title")}</strong>`
  return html`<p class="note">${texts.html("common.two-sentences", both)}</p>
    ${remembers && html`<p class="note">${texts.html("consent.remembers", { place })}</p>`}`
}

function decision(input: ConsentInput): Html {
  const { basePath, texts, ticket, csrf, granted, origin } = input
  const offersAuthorize = granted.length > 0
  return html`<form class="decision" method="post" action="${basePath}/oauth/consent">
    ${hidden("ticket", ticket)}${hidden("csrf", csrf)} ${offersAuthorize && duration(input)}
    <div class="buttons">
      ${
        offersAuthorize &&
        html`<button
          class="${origin.from === "device" ? "quiet" : "primary"}"
          name="decision"
          value="authorize"
        >
          ${texts.html("consent.authorize")}
        </button>`
      }
      <button class="quiet" name="decision" value="refuse">${texts.html("consent.refuse")}</button>
    </div>
    ${origin.from === "browser" && html`<p class="returns">${destination(texts, origin.returnsTo)}</p>`}
  </form>`
}

/** Renders why the page offers only Refuse, and whom to ask. */
function whyNothing(input: ConsentInput): Html {
  const { texts, look, refusedToAccount, refusedByGroups = [], isForAccount = true } = input
  if (isForAccount && refusedByGroups.length === 0)
    return texts.html(refusedToAccount.length > 0 ? "consent.needs-administrator" : "consent.not-available")
  return texts.html("common.two-sentences", {
    first: texts.html(isForAccount ? "consent.nothing-for-account" : "consent.for-others"),
    second: texts.html("consent.ask-administrator", { service: look.name }),
  })
}

/** Renders what the card of the page holds. The console shows it as a picture. */
export function consentCard(input: ConsentInput): Html {
  const { basePath, texts, app, origin, granted } = input
  const name = appName(texts, app)
  const heading = granted.length > 0 ? "consent.heading" : "consent.heading.refuse"
  return html`${appTile(basePath, app)}
    <h1>${texts.html(heading, { app: html`<bdi class="name">${name}</bdi>` })}</h1>
    ${granted.length === 0 && html`<p class="lead">${whyNothing(input)}</p>`}
    ${origin.from === "device" && comparison(texts, origin)} ${facts(input)}
    ${grantedPermissions(texts, granted)} ${refusedPermissions(texts, input, input.look.name)}
    ${input.notice !== undefined && notices(texts, input.notice)} ${decision(input)}`
}

export function renderConsent(input: ConsentInput): string {
  const { texts, app } = input
  const main = consentCard(input)
  const title = texts.plain("consent.title", { app: appName(texts, app) })
  return renderDocument(input, { title, main, wide: true, decides: true })
}
