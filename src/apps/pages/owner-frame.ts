/** The frame of "My apps". */
import { renderAccountPage, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { flashMessage } from "../../platform/ui/flash.ts"
import { html } from "../../kernel/html.ts"
import { type AppPageInput, ownerPaths } from "./app-page.ts"

/** Builds the frame. `done` names the notice to show after a form. */
export function ownerFrame(input: SignedInInput, done: string | null = null): AppPageInput {
  const { basePath, texts } = input
  return {
    ...input,
    paths: ownerPaths,
    isAdministrators: false,
    frame: ({ title, heading, beside, up, main }) => {
      const h1 = html`<h1>${heading}</h1>`
      const top = beside === undefined ? h1 : html`<div class="who plain">${h1}${beside}</div>`
      const upTo = up && html`<p class="note"><a href="${basePath}${up.path}">${up.label}</a></p>`
      return renderAccountPage(input, {
        here: ownerPaths.list,
        title,
        main: html`${flashMessage(texts, done)} ${top} ${main} ${upTo}`,
      })
    },
  }
}
