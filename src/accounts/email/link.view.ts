import { html } from "../../kernel/html.ts"
import { hidden } from "../../platform/ui/form.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { shownName } from "../../platform/ui/shown-text.ts"

export type LinkUsed = "confirmed" | "restored" | "taken"

type LinkQuestionInput = PageInput & {
  readonly action: string
  readonly csrf: string
  readonly purpose: "confirm-address" | "restore-address"
  readonly link: string
  readonly address: string
  readonly username: string
}

const questions = {
  "confirm-address": {
    title: "Confirm your address",
    note: "Notices about the account and links for a new password will go to this address.",
    button: "Confirm this address",
  },
  "restore-address": {
    title: "Take your address back",
    note: "The account gets this address again, and every browser is signed out. Then set a new password.",
    button: "Take this address back",
  },
} as const

export function renderLinkQuestion(input: LinkQuestionInput): string {
  const { action, csrf, link, address, username, purpose } = input
  const { title, note, button } = questions[purpose]
  const main = html`<h1>${title}</h1>
    <dl class="facts">
      <div>
        <dt>Address</dt>
        <dd><bdi>${address}</bdi></dd>
      </div>
      <div>
        <dt>Account</dt>
        <dd><bdi>${shownName(username, "an account without a name")}</bdi></dd>
      </div>
    </dl>
    <p>${note}</p>
    <form class="stack" method="post" action="${action}">
      ${hidden("csrf", csrf)}${hidden("link", link)}
      <button class="primary">${button}</button>
    </form>
    <p class="note">If this is not your account, close this page. Nothing changes.</p>`
  return renderDocument(input, { title, main })
}

type LinkOfAnotherInput = PageInput & {
  readonly csrf: string
  /** The sealed address of the link. The person opens it again after the sign-in. */
  readonly continueTo: string
  readonly username: string
  readonly signedInAs: string
}

/** The browser is signed in to another account than the one that asked for the link. */
export function renderLinkOfAnother(input: LinkOfAnotherInput): string {
  const { basePath, csrf, continueTo, username, signedInAs } = input
  const title = "This link is for another account"
  const main = html`<h1>${title}</h1>
    <p class="lead">
      The account <strong><bdi>${shownName(username, "without a name")}</bdi></strong> asked to confirm this
      address. You are signed in as <bdi>${shownName(signedInAs, "another account")}</bdi>.
    </p>
    <p>If that account is not yours, close this page. Nothing changes.</p>
    <form class="stack" method="post" action="${basePath}/sign-out">
      ${hidden("csrf", csrf)}${hidden("continue", continueTo)}
      <button class="primary">Sign out and use that account</button>
    </form>`
  return renderDocument(input, { title, main })
}

const done: { readonly [K in LinkUsed]: { readonly title: string; readonly text: string } } = {
  confirmed: {
    title: "Your address is confirmed",
    text: "Notices about your account now go to this address.",
  },
  restored: {
    title: "Your address is back",
    text: "Every browser was signed out. Now set a new password, because the old one may be known to someone else.",
  },
  taken: {
    title: "Another account has this address",
    text: "An address belongs to one account. Remove it from the other account first, then enter it again.",
  },
}

export function renderLinkUsed(input: PageInput & { readonly used: LinkUsed }): string {
  const { basePath, used } = input
  const { title, text } = done[used]
  const [path, label] =
    used === "restored" ? ["/recover", "Set a new password"] : ["/account", "Go to your account"]
  const main = html`<h1>${title}</h1>
    <p class="lead">${text}</p>
    <p class="actions"><a class="button" href="${basePath}${path}">${label}</a></p>`
  return renderDocument(input, { title, main })
}

/** Renders the page of a link that was used or replaced, has expired, or is unknown. */
export function renderLinkGone(input: PageInput & { readonly signIn: string }): string {
  const { basePath, signIn } = input
  const title = "This link no longer works"
  const main = html`<h1>${title}</h1>
    <p class="lead">A link works once, and only for a short time. A newer link replaces it.</p>
    <p>Ask for another link where you asked for this one.</p>
    <p class="actions"><a class="button" href="${basePath}${signIn}">Go to sign-in</a></p>`
  return renderDocument(input, { title, main })
}
