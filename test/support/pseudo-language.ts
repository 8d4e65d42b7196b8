/** A language whose texts have no Latin letter, to find texts of a page that do not come from the language's file. */
import { readFileSync } from "node:fs"
import { type Html, html } from "../../src/kernel/html.ts"
import type { Values } from "../../src/platform/languages/message.ts"
import { type TextFile, type TextKey, Texts } from "../../src/platform/languages/texts.ts"

const file = new URL("../../src/platform/languages/texts/en.json", import.meta.url)

class PseudoTexts extends Texts {
  override html(key: TextKey, values: Values = {}): Html {
    const inserted: Html[] = []
    const marked = Object.entries(values).map(([name, value]) =>
      typeof value === "object"
        ? [name, html`${String.fromCodePoint(0xe000 + inserted.push(value))}`]
        : [name, value],
    )
    const text = withoutLatin(String(super.html(key, Object.fromEntries(marked) as Values)))
    return html`${text.split(/([\ue001-\uf8ff])/).map((piece) => inserted[(piece.codePointAt(0) ?? 0) - 0xe001] ?? unescaped(piece))}`
  }

  override plain(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
    return withoutLatin(super.plain(key, values))
  }
}

function withoutLatin(text: string): string {
  return text.replaceAll(/&[#a-z0-9]+;|[A-Za-z]/g, (one) => (one.length > 1 ? one : "ж"))
}

function unescaped(text: string): string {
  return text.replaceAll(/&[#a-z0-9]+;/g, "'")
}

export const pseudoTexts = new PseudoTexts({ tag: "ru", direction: "ltr", name: "Pseudo" }, [
  JSON.parse(readFileSync(file, "utf8")) as TextFile,
])

/** Returns the words with Latin letters that a page shows, names and codes left out. */
export function latinWords(page: string): readonly string[] {
  const body = page.replaceAll(/<(style|script|bdi|code|title)\b[^>]*>.*?<\/\1>/gs, " ")
  const labels = [...body.matchAll(/ (?:aria-label|alt|title)="([^"]*)"/g)].map(([, label = ""]) => label)
  const text = [body.replaceAll(/<[^>]*>/gs, " "), ...labels].join(" ").replaceAll(/&[#a-z0-9]+;/g, " ")
  return text.match(/\p{Script=Latin}[\p{Script=Latin}’-]*/gu) ?? []
}
