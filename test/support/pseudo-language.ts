/** A language with every text in brackets, and the check that a page for people has no other text: LANG-7. */
import { test } from "node:test"
import assert from "node:assert/strict"
import english from "../../src/platform/languages/texts/en.json" with { type: "json" }
import { Texts } from "../../src/platform/languages/texts.ts"

// The values of a text are outside of its brackets. The tag makes `Intl` write times with Cyrillic letters.
const file = Object.entries(english).map(
  ([key, text]) => [key, `⟦${text.replaceAll(/\{\w+\}/g, "⟧$&⟦")}⟧`] as const,
)
export const pseudoTexts = new Texts({ tag: "uk", direction: "ltr", name: "Псевдо" }, [
  Object.fromEntries(file),
])

/** Attributes that a person reads or hears, and what a field contains. */
const ATTRIBUTES =
  / (?:alt|title|label|placeholder|aria-(?:label|description|roledescription|valuetext)|data-(?!options=|passkey=)[a-z-]+)="([^"]*)"|<input(?![^>]* type="(?:hidden|radio|checkbox)")[^>]* value="([^"]*)"/g

/** Cyrillic letters are those of times and of sample values. */
const LETTER = /[\p{L}--\p{Script=Cyrillic}]/v

/** What every language writes in the same way. */
const FIXED = /^(?:Latchkey|[\d:]+ UTC)$/

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
}

/** Returns what a person reads or hears outside of the brackets. `input` lists the values that the page got. */
export function textsOutside(page: string, input: readonly string[]): readonly string[] {
  const visible = page
    .replaceAll(" · Latchkey</title>", "</title>")
    .replaceAll(/<(style|script)\b[^>]*>.*?<\/\1>/gs, "<>")
  const attributes = Array.from(visible.matchAll(ATTRIBUTES), ([, read, typed]) => read ?? typed ?? "")
  return [...visible.split(/<[^>]*>/), ...attributes]
    .flatMap((text) => text.split(/⟦[^⟧]*⟧/))
    .map((text) => text.replaceAll(/&#?\w+;/g, (entity) => entities[entity] ?? entity).trim())
    .filter((text) => LETTER.test(text) && !FIXED.test(text) && !input.includes(text))
}

export function testPages(pages: Readonly<Record<string, string>>, input: readonly string[]): void {
  for (const [name, page] of Object.entries(pages))
    test(`LANG-7 ${name}: every text comes from the language's file`, () => {
      assert.match(page, /⟦/)
      assert.deepEqual(textsOutside(page, input), [])
    })
}
