/**
 * The consent page. It shows the app, the account, the permissions and the redirect host. Its form contains only a
 * decision and a sealed ticket. Interface: table "Consent"; RFC 6749 §3.1, RFC 9700 §4.16.
 */
import type { DocumentPart } from "../../model/clients/document.rules.ts"
import type { RegisteredBy } from "../../model/clients/client.rules.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import { registrar } from "../../platform/ui/app-line.ts"
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
import { secondOf } from "../../platform/ui/instant.ts"
import { agoInWords, lifetimeInWords } from "../../platform/ui/words.ts"

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
  /** Requested permissions that this account cannot grant. */
  readonly refusedToAccount: readonly PermissionView[]
  readonly origin: RequestOrigin
  readonly lastsSeconds: number
  /** Whether the access ends with the sign-in session of this browser. */
  readonly endsWithSession?: boolean
  /** The sealed request. After a sign-in with another account, the request continues. */
  readonly continueTo: string
  readonly ticket: string
  readonly csrf: string
}

function registration({ app, texts }: ConsentInput): Html {
  if (app.registeredBy === "document" && !app.verified)
    return html`<span class="unchecked"
      >${caution}<span>${registrar(texts, app)}. This service has not checked it</span></span
    >`
  if (app.registeredBy !== "itself") return registrar(texts, app)
  return html`<span class="unchecked">${caution}This app registered itself and has not been checked</span>`
}

function destination({ kind, host }: ReturnsTo): Html {
  switch (kind) {
    case "web":
      return html`<strong class="host"><bdi>${host}</bdi></strong>`
    case "loopback":
      return html`an app on this computer <span class="host">(<bdi>${host}</bdi>)</span>`
    case "private":
      return html`the app that opens <strong class="host"><bdi>${host.replace(/:$/, "")}:</bdi></strong> links
        on this device`
  }
}

/** Renders the code and the device's address, so that the person can compare both. RFC 8628 §3.3.1 and §5.4. */
function comparison(
  texts: Texts,
  { userCode, address, askedAt, askedSecondsAgo }: Extract<RequestOrigin, { from: "device" }>,
): Html {
  return html`<section class="compare" aria-labelledby="compare">
    <h2 id="compare">Does your device show this code?</h2>
    <p class="user-code"><code>${userCode}</code></p>
    <p>
      This request began ${agoInWords(texts, askedSecondsAgo)}, on ${secondOf(texts, askedAt)}, at the network
      address
      <strong><bdi>${address}</bdi></strong
      >. If you did not start this, refuse. A person who sent you this code or link would get into your
      account.
    </p>
  </section>`
}

function facts(input: ConsentInput): Html {
  const { username, installationName, csrf, continueTo, resourceNames = [] } = input
  return html`<dl class="facts">
    <div>
      <dt>App</dt>
      <dd><span>${registration(input)}</span></dd>
    </div>
    <div>
      <dt>Signed in</dt>
      <dd>
        <span
          >as <strong><bdi>${shownName(username, "without a name")}</bdi></strong></span
        >
        <span class="aside">Not you? ${signOutForm(input, csrf, continueTo)}</span>
      </dd>
    </div>
    ${
      installationName !== null &&
      html`<div>
        <dt>Label</dt>
        <dd>
          <bdi>${shownName(installationName, "none", 100)}</bdi>
          <span class="aside">chosen by the app</span>
        </dd>
      </div>`
    }
    ${
      resourceNames.length > 0 &&
      html`<div>
        <dt>Works at</dt>
        <dd>
          <span>${resourceNames.map((name, i) => html`${i > 0 && " and "}<bdi>${name}</bdi>`)}</span>
        </dd>
      </div>`
    }
  </dl>`
}

const changes: { readonly [K in DocumentPart]: string } = {
  redirect_uris: "the addresses that it returns to",
  keys: "the keys that it proves itself with",
}

/** Renders warnings above the buttons. They say that a program could pose as the app, and what the app changed. */
function notices({ isLocal, changed }: ConsentNotice): Html {
  return html`${
    changed.length > 0 &&
    html`<p class="unchecked">
      ${caution}<span
        >Since you last allowed this app, it changed
        ${changed.map((part) => changes[part]).join(" and ")}.</span
      >
    </p>`
  }${
    isLocal &&
    html`<p class="unchecked">
      ${caution}<span
        >It runs on your device, where any program can use its name. Authorize only if you have just started
        it yourself.</span
      >
    </p>`
  }`
}

function duration({ lastsSeconds, endsWithSession = false }: ConsentInput): Html {
  return html`<p class="note">
    ${
      endsWithSession
        ? "Access ends with your sign-in in this browser: when you sign out, when the sign-in expires, or when a new password ends it."
        : `Access lasts up to ${lifetimeInWords(lastsSeconds)}.`
    }
    You can end it at any time.
  </p>`
}

function decision(input: ConsentInput): Html {
  const { basePath, ticket, csrf, granted, origin } = input
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
          Authorize
        </button>`
      }
      <button class="quiet" name="decision" value="refuse">Refuse</button>
    </div>
    ${origin.from === "browser" && html`<p class="returns">You’ll return to ${destination(origin.returnsTo)}</p>`}
  </form>`
}

export function renderConsent(input: ConsentInput): string {
  const { basePath, texts, app, origin, granted, refusedToAccount } = input
  const name = shownName(app.name, "An app without a name")
  const main = html`${appTile(basePath, app)}
    <h1>
      <bdi class="name">${name}</bdi>
      ${granted.length > 0 ? "wants to use your account" : "cannot use your account"}
    </h1>
    ${
      granted.length === 0 &&
      html`<p class="lead">
        ${
          refusedToAccount.length > 0
            ? "Everything it asked for needs an administrator, and your account is not one."
            : "What it asked for is no longer available to this app."
        }
      </p>`
    }
    ${origin.from === "device" && comparison(texts, origin)} ${facts(input)}
    ${grantedPermissions(texts, granted)} ${refusedPermissions(texts, refusedToAccount, granted.length > 0)}
    ${input.notice !== undefined && notices(input.notice)} ${decision(input)}`
  return renderDocument(input, { title: `Allow ${name}?`, main, wide: true, decides: true })
}
