/**
 * The consent page: the app, the account, the permissions, and where the browser returns to. Interface: table
 * "Consent"; RFC 6749 §3.1, RFC 9700 §4.16. The form carries a decision and a sealed ticket, nothing else.
 */
import type { RegisteredBy } from "../../records/client.rules.ts"
import { registrar } from "../../ui/app-line.ts"
import { hidden, signOutForm } from "../../ui/form.ts"
import { type Html, html } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "../../ui/layout.ts"
import { caution } from "../../ui/mark.ts"
import { type AppView, appTile } from "../../ui/monogram.ts"
import { grantedPermissions, type PermissionView, refusedPermissions } from "../../ui/permission-list.ts"
import { shownName } from "../../ui/shown-text.ts"
import { agoInWords, lifetimeInWords } from "../../ui/words.ts"

export type ReturnsTo = {
  readonly kind: "web" | "loopback" | "private"
  /** The host (with its port on loopback), or the scheme of a private-use address. */
  readonly host: string
}

/** The source of the request: a browser that returns to the app, or a device that waits. */
export type Asker =
  | { readonly from: "browser"; readonly returnsTo: ReturnsTo }
  | {
      readonly from: "device"
      /** As the device shows it. */
      readonly userCode: string
      readonly address: string
      readonly askedSecondsAgo: number
    }

export type ConsentInput = PageInput & {
  readonly app: AppView & {
    readonly registeredBy: RegisteredBy
    /** The username of the user who registered the app. */
    readonly ownerName: string | null
  }
  readonly username: string
  readonly installationName: string | null
  /** Everything that Authorize grants, implied permissions included. Empty: only Refuse is offered. */
  readonly granted: readonly PermissionView[]
  /** Requested, but this account cannot grant them. */
  readonly refusedToAccount: readonly PermissionView[]
  readonly asker: Asker
  readonly lastsSeconds: number
  /** This request, sealed. It continues after another account signs in. */
  readonly continueTo: string
  readonly ticket: string
  readonly csrf: string
}

function registration(app: ConsentInput["app"]): Html {
  if (app.registeredBy !== "itself") return registrar(app)
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

/** RFC 8628 §3.3.1 and §5.4: the person compares the code, and sees where the device is. */
function comparison({ userCode, address, askedSecondsAgo }: Extract<Asker, { from: "device" }>): Html {
  return html`<section class="compare" aria-labelledby="compare">
    <h2 id="compare">Does your device show this code?</h2>
    <p class="user-code"><code>${userCode}</code></p>
    <p class="note">
      The code was requested ${agoInWords(askedSecondsAgo)} from the network address <bdi>${address}</bdi>. If
      someone sent you this code or link, refuse. They would get into your account.
    </p>
  </section>`
}

function facts({ basePath, app, username, installationName, csrf, continueTo }: ConsentInput): Html {
  return html`<dl class="facts">
    <div>
      <dt>App</dt>
      <dd><span>${registration(app)}</span></dd>
    </div>
    <div>
      <dt>Signed in</dt>
      <dd>
        <span
          >as <strong><bdi>${shownName(username, "without a name")}</bdi></strong></span
        >
        <span class="aside">Not you? ${signOutForm(basePath, csrf, "Sign out", "link", continueTo)}</span>
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
  </dl>`
}

function decision({ basePath, ticket, csrf, granted, asker, lastsSeconds }: ConsentInput): Html {
  const offersAuthorize = granted.length > 0
  return html`<form class="decision" method="post" action="${basePath}/oauth/consent">
    ${hidden("ticket", ticket)}${hidden("csrf", csrf)}
    ${
      offersAuthorize &&
      html`<p class="note">
        Access lasts up to ${lifetimeInWords(lastsSeconds)}. You can end it at any time.
      </p>`
    }
    <div class="buttons">
      ${offersAuthorize && html`<button class="primary" name="decision" value="authorize">Authorize</button>`}
      <button class="quiet" name="decision" value="refuse">Refuse</button>
    </div>
    ${asker.from === "browser" && html`<p class="returns">You’ll return to ${destination(asker.returnsTo)}</p>`}
  </form>`
}

export function renderConsent(input: ConsentInput): string {
  const { basePath, app, granted, refusedToAccount } = input
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
    ${input.asker.from === "device" && comparison(input.asker)} ${facts(input)} ${grantedPermissions(granted)}
    ${refusedPermissions(refusedToAccount, granted.length > 0)} ${decision(input)}`
  return renderDocument({ basePath, title: `Allow ${name}?`, main, wide: true, decides: true })
}
