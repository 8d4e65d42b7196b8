/** The page on which a person chooses the language of the pages. */
import { html } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import type { Language } from "../../platform/languages/texts.ts"

export type LanguageInput = PageInput & {
  readonly csrf: string
  readonly languages: readonly Language[]
  /** The path and query that the browser visits afterwards, relative to the base path. */
  readonly next: string | null
}

export function renderLanguage(input: LanguageInput): string {
  const { basePath, csrf, languages, next, texts } = input
  const main = html`<h1>${texts.html("language.title")}</h1>
    <form class="stack" method="post" action="${basePath}/language">
      <input type="hidden" name="csrf" value="${csrf}" />
      ${next !== null && html`<input type="hidden" name="next" value="${next}" />`}
      ${languages.map(
        ({ tag, direction, name }) =>
          html`<button
            class="${tag === texts.language.tag ? "primary" : "quiet"}"
            name="language"
            value="${tag}"
            lang="${tag}"
            dir="${direction}"
            ${tag === texts.language.tag && html`aria-current="true"`}
          >
            ${name}
          </button>`,
      )}
    </form>`
  return renderDocument(input, { title: texts.plain("language.title"), main })
}
