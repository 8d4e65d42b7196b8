/** What a change takes from people, before it is made. Roughly: whoever makes an app does not learn who uses it. PERM-5. */
import { anonymizedCount } from "../../permissions/preview/anonymized-count.rules.ts"
import { hidden } from "../../ui/form.ts"
import { renderAccountPage, type SignedInInput } from "../../ui/account-frame.ts"
import { type Html, html } from "../../kernel/html.ts"
import { shownName } from "../../ui/shown-text.ts"
import type { TypedText } from "./form.view.ts"

type About = SignedInInput & { readonly clientId: string; readonly name: string }

export type CeilingPreviewInput = About & {
  readonly taken: readonly { readonly title: string; readonly accounts: number }[]
  /** Accounts whose installations can do nothing at all afterwards. */
  readonly emptied: number
  readonly typed: TypedText
  /** Sent back as the confirmation: it names exactly this change. */
  readonly confirmed: string
}

export function renderCeilingPreview(input: CeilingPreviewInput): string {
  const { basePath, csrf, clientId, name, taken, emptied, typed, confirmed } = input
  const main = html`<h1>Take this from <bdi class="name">${shownName(name, "the app")}</bdi>?</h1>
    <ul class="losses">
      ${taken.map(
        ({ title, accounts }) =>
          html`<li>
            <strong>${title}</strong>
            <span class="note"
              >${accounts === 0 ? "Nobody lets it do this now." : `Out of reach for ${anonymizedCount(accounts, "account")}.`}</span
            >
          </li>`,
      )}
    </ul>
    ${emptied > 0 && html`<p>For ${anonymizedCount(emptied, "account")}, the app can do nothing at all afterwards.</p>`}
    <p class="note">
      It holds from the next request on. If you give it back, those who allowed it have it again.
    </p>
    <form class="decision" method="post" action="${basePath}/account/apps/edit">
      ${hidden("csrf", csrf)}${hidden("id", clientId)}${typedFields(typed)}${hidden("confirmed", confirmed)}
      <div class="buttons">
        <button class="primary">Save</button>
        <a class="button" href="${basePath}/account/apps/app?id=${clientId}">Change nothing</a>
      </div>
    </form>`
  return renderAccountPage(input, { here: "/account/apps", title: "Before it is saved", main })
}

function typedFields({ name, redirectUris, permissions, stepUp }: TypedText): Html {
  return html`${hidden("name", name)}${hidden("redirect_uris", redirectUris)}
  ${permissions.map((permission) => hidden("permission", permission))}${stepUp && hidden("step_up", "on")}`
}

export type EndAppInput = About & {
  readonly end: "disable" | "remove"
  readonly usedBy: { readonly accounts: number; readonly isWhole: boolean }
}

export function renderEndApp(input: EndAppInput): string {
  const { basePath, csrf, clientId, name, end, usedBy } = input
  const isRemoval = end === "remove"
  const whom =
    usedBy.accounts === 0
      ? "Nobody uses it now."
      : `It is used by ${anonymizedCount(usedBy.accounts, "account", usedBy.isWhole)}.`
  const main = html`<h1>
      ${isRemoval ? "Remove" : "Disable"} <bdi class="name">${shownName(name, "this app")}</bdi>?
    </h1>
    <p class="lead">
      ${whom}
      ${
        isRemoval
          ? "Everybody is signed out of it at once and for good, and its client id never comes back."
          : "It stops at once for everybody. When you enable it again, they go on without signing in anew."
      }
    </p>
    <form class="decision" method="post" action="${basePath}/account/apps/${end}">
      ${hidden("csrf", csrf)}${hidden("id", clientId)}
      <div class="buttons">
        <button class="danger">${isRemoval ? "Remove for good" : "Disable"}</button>
        <a class="button" href="${basePath}/account/apps/app?id=${clientId}">Keep it</a>
      </div>
    </form>`
  return renderAccountPage(input, {
    here: "/account/apps",
    title: isRemoval ? "Remove an app" : "Disable an app",
    main,
  })
}
