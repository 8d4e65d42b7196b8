/** Renders how a person leaves a page between the sign-in page and the end of a sign-in. Interface LOGIN-12. */
import { type Html, html } from "../../kernel/html.ts"
import type { PageInput } from "../../platform/ui/layout.ts"
import { hiddenFields } from "../factors/proof.view.ts"
import { signInPath } from "./continuation.ts"

/**
 * Where it leads: to the sign-in page, or with `access_denied` to the app that waits. Null where the sign-in page leads
 * to an application at once, and so back to this page, and no app waits.
 */
export type WayOut = "sign-in" | "app" | null

type WayOutInput = PageInput & {
  readonly csrf: string
  readonly continueTo: string | null
  readonly wayOut?: WayOut
}

/** `action` is the path of the page's own form. */
export function wayOutOf(input: WayOutInput, action: string, words: Html): Html | null {
  const { basePath, texts, csrf, continueTo, wayOut = "sign-in" } = input
  if (wayOut === null) return null
  return wayOut === "sign-in"
    ? html`<p class="note"><a href="${basePath}${signInPath(continueTo)}">${words}</a></p>`
    : html`<form class="stack" method="post" action="${basePath}${action}">
        ${hiddenFields({ csrf, continue: continueTo })}
        <button class="quiet" name="cancel" value="yes">${texts.html("common.cancel")}</button>
      </form>`
}
