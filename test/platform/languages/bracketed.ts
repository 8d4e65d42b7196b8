/** A language whose every text stands in brackets, and what a page has outside of them. */
import { Texts } from "../../../src/platform/languages/texts.ts"
import english from "../../../src/platform/languages/texts/en.json" with { type: "json" }

const bracketed = Object.fromEntries(Object.entries(english).map(([key, text]) => [key, `⟦${text}⟧`]))
export const texts = new Texts({ tag: "en", direction: "ltr", name: "Bracketed" }, [bracketed])

/** Words that are not in the file: names, commands, what a person typed, and times, which `Intl` writes. */
const NAMES = /<(bdi|code|time)[^>]*>[^<]*<\/\1>/g

/** Attributes that a person reads or hears. */
const ATTRIBUTES = / (?:alt|aria-label|data-added-already|data-wrong-address|data-canceled)="([^"]*)"/g

/** Returns what a person reads outside all brackets, without names and the parts of the page that others test. */
export function outside(page: string): string {
  const title = /<title>([^<]*) · Latchkey<\/title>/.exec(page)?.[1] ?? ""
  const main = page.includes("<main")
    ? title + page.slice(page.indexOf("<main"), page.indexOf("</main>"))
    : page
  const attributes = Array.from(main.matchAll(ATTRIBUTES), ([, value]) => value)
  let text = attributes.join(" ") + main.replace(NAMES, "").replace(/<[^>]*>/g, " ")
  for (let before = ""; before !== text;) {
    before = text
    text = text.replace(/⟦[^⟦⟧]*⟧/g, " ")
  }
  return text.replace(/[^\p{L}]+/gu, " ").trim()
}
