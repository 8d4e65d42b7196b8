/** The languages of the pages and mails. A language is loaded with its first use and stays loaded. */
import { readFileSync } from "node:fs"
import { isRightToLeft, type KnownTags, knownTags, lookUp } from "./choose.ts"
import { type Language, type TextFile, Texts } from "./texts.ts"

/** The built-in languages. Each row has its texts in `texts/TAG.json`. */
export const builtInLanguages: readonly Language[] = [
  { tag: "en", direction: "ltr", name: "English" },
  { tag: "de", direction: "ltr", name: "Deutsch" },
  { tag: "fr", direction: "ltr", name: "Français" },
  { tag: "es", direction: "ltr", name: "Español" },
  { tag: "it", direction: "ltr", name: "Italiano" },
  { tag: "pt-BR", direction: "ltr", name: "Português (Brasil)" },
  { tag: "nl", direction: "ltr", name: "Nederlands" },
  { tag: "pl", direction: "ltr", name: "Polski" },
  { tag: "uk", direction: "ltr", name: "Українська" },
  { tag: "ja", direction: "ltr", name: "日本語" },
  { tag: "zh-Hans", direction: "ltr", name: "简体中文" },
  { tag: "ar", direction: "rtl", name: "العربية" },
]

const builtInTags = builtInLanguages.map(({ tag }) => tag)

/** The language that has every text. */
export const ENGLISH = "en"

/** Texts of the operator by tag. They replace built-in ones or add a language. */
export type OwnTexts = ReadonlyMap<string, TextFile>

export class Languages {
  /** In the order in which a person chooses from them. */
  readonly all: readonly Language[]
  readonly tags: readonly string[]
  /** The languages that are not built in. */
  readonly added: readonly string[]
  /** The built-in languages of which the operator replaces texts. */
  readonly changed: readonly string[]
  readonly #own: OwnTexts
  /** Made for the first wish, because the tables of scripts take longer than the rest of a start's languages. */
  #known: KnownTags | null = null
  readonly #loaded = new Map<string, Texts>()

  constructor(own: OwnTexts = new Map()) {
    this.added = [...own.keys()].filter((tag) => !builtInTags.includes(tag))
    this.changed = [...own.keys()].filter((tag) => builtInTags.includes(tag))
    this.all = [...builtInLanguages, ...this.added.map(languageOf)]
    this.tags = this.all.map(({ tag }) => tag)
    this.#own = own
  }

  /** Returns the tag of the first language that one of the wishes finds, or null. */
  find(wishes: Iterable<string>): string | null {
    this.#known ??= knownTags(this.tags)
    for (const wish of wishes) {
      const found = lookUp(this.#known, wish)
      if (found !== null) return found
    }
    return null
  }

  /** Returns the texts of the first language that one of the wishes finds, or the English ones. */
  choose(wishes: Iterable<string>): Texts {
    return this.textsOf(this.find(wishes) ?? ENGLISH)
  }

  /**
   * Returns the texts of a known language. What it lacks is in the built-in language that its tag finds, such as German
   * for `de-AT`, and then in English.
   */
  textsOf(tag: string): Texts {
    const loaded = this.#loaded.get(tag)
    if (loaded !== undefined) return loaded
    const language = this.all.find((one) => one.tag === tag)
    if (language === undefined) throw new Error(`there is no language ${JSON.stringify(tag)}`)
    const nearest = this.added.includes(tag) ? lookUp(knownTags(builtInTags), tag) : null
    const tags = new Set([tag, nearest ?? ENGLISH, ENGLISH])
    const texts = new Texts(language, { [Symbol.iterator]: () => this.#filesOf(tags) })
    this.#loaded.set(tag, texts)
    return texts
  }

  /** The operator's texts come before the built-in ones. A file is read when the one before it lacks a text. */
  *#filesOf(tags: ReadonlySet<string>): Generator<TextFile> {
    for (const tag of tags) {
      const own = this.#own.get(tag)
      if (own !== undefined) yield own
      if (builtInTags.includes(tag)) yield readTexts(tag)
    }
  }
}

/** Describes a language of the operator. */
function languageOf(tag: string): Language {
  const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag
  return { tag, direction: isRightToLeft(tag) ? "rtl" : "ltr", name }
}

const files = new Map<string, TextFile>()

/** Reads the texts of a built-in language. */
export function readTexts(tag: string): TextFile {
  const url = new URL(`texts/${tag}.json`, import.meta.url)
  const file = files.get(tag) ?? (JSON.parse(readFileSync(url, "utf8")) as TextFile)
  files.set(tag, file)
  return file
}
