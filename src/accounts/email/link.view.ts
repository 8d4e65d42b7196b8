import { html } from "../../kernel/html.ts"
import { hidden } from "../../platform/ui/form.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { buttonLink, fact } from "../../platform/ui/parts.ts"

export type LinkUsed = "confirmed" | "restored" | "taken"

type LinkQuestionInput = PageInput & {
  readonly action: string
  readonly csrf: string
  readonly purpose: "confirm-address" | "restore-address"
  readonly link: string
  readonly address: string
  readonly username: string
}

export function renderLinkQuestion(input: LinkQuestionInput): string {
  const { action, csrf, link, address, username, purpose, texts } = input
  const title = texts.plain(`email-link.${purpose}.title`)
  const main = html`<h1>${title}</h1>
    <dl class="facts">
      ${fact(texts.html("email-link.address"), html`<bdi>${address}</bdi>`)}
      ${fact(texts.html("email-link.account"), html`<bdi>${shownName(username, texts.plain("email-link.nameless-account"))}</bdi>`)}
    </dl>
    <p>${texts.html(`email-link.${purpose}.note`)}</p>
    <form class="stack" method="post" action="${action}">
      ${hidden("csrf", csrf)}${hidden("link", link)}
      <button class="primary">${texts.html(`email-link.${purpose}.button`)}</button>
    </form>
    <p class="note">${texts.html("email-link.not-yours")}</p>`
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
  const { basePath, csrf, continueTo, username, signedInAs, texts } = input
  const title = texts.plain("email-link.of-another.title")
  const account = shownName(username, texts.plain("email-link.of-another.nameless"))
  const here = shownName(signedInAs, texts.plain("email-link.of-another.nameless-here"))
  const main = html`<h1>${title}</h1>
    <p class="lead">
      ${texts.html("email-link.of-another.lead", {
        account: html`<strong><bdi>${account}</bdi></strong>`,
        signedInAs: html`<bdi>${here}</bdi>`,
      })}
    </p>
    <p>${texts.html("email-link.of-another.not-yours")}</p>
    <form class="stack" method="post" action="${basePath}/sign-out">
      ${hidden("csrf", csrf)}${hidden("continue", continueTo)}
      <button class="primary">${texts.html("email-link.of-another.sign-out")}</button>
    </form>`
  return renderDocument(input, { title, main })
}

export function renderLinkUsed(input: PageInput & { readonly used: LinkUsed }): string {
  const { basePath, texts, used } = input
  const title = texts.plain(`email-link.${used}.title`)
  const [path, label] =
    used === "restored"
      ? (["/recover", "email-link.restored.button"] as const)
      : (["/account", "common.to-account"] as const)
  const main = html`<h1>${title}</h1>
    <p class="lead">${texts.html(`email-link.${used}.lead`)}</p>
    ${buttonLink(`${basePath}${path}`, texts.html(label))}`
  return renderDocument(input, { title, main })
}

type LinkGoneInput = PageInput & { readonly of: "gone" | "invitation-gone"; readonly signIn: string }

/** Renders the page of a link that was used, replaced or withdrawn, has expired, or is unknown. */
export function renderLinkGone(input: LinkGoneInput): string {
  const { basePath, texts, of, signIn } = input
  const title = texts.plain(`email-link.${of}.title`)
  const main = html`<h1>${title}</h1>
    <p class="lead">${texts.html(`email-link.${of}.lead`)}</p>
    <p>${texts.html(`email-link.${of}.way-out`)}</p>
    ${buttonLink(`${basePath}${signIn}`, texts.html("email-link.gone.sign-in"))}`
  return renderDocument(input, { title, main })
}
