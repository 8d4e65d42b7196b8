/** The languages of the pages and mails. A language is loaded with its first use and stays loaded. */
import { readFileSync } from "node:fs"
import { type Language, type TextFile, Texts } from "./texts.ts"

/** The built-in languages. Each row has its texts in `texts/TAG.json`. */
export const builtInLanguages = [{ tag: "en", direction: "ltr" }] as const satisfies readonly Language[]

export const ENGLISH: Language = builtInLanguages[0]

export class Languages {
  readonly #loaded = new Map<string, Texts>()

  /** Returns the texts of a built-in language. */
  textsOf(language: Language): Texts {
    const loaded = this.#loaded.get(language.tag)
    if (loaded !== undefined) return loaded
    const files = [language, ...(language.tag === ENGLISH.tag ? [] : [ENGLISH])].map(({ tag }) =>
      readTexts(tag),
    )
    const texts = new Texts(language, files)
    this.#loaded.set(language.tag, texts)
    return texts
  }
}

function readTexts(tag: string): TextFile {
  return JSON.parse(readFileSync(new URL(`texts/${tag}.json`, import.meta.url), "utf8")) as TextFile
}
