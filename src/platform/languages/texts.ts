/** The texts of the pages and mails in one language. */
import { type Html, html } from "../../kernel/html.ts"
import { Formats } from "./formats.ts"
import { type Message, parseMessage, type Piece, piecesOf, type Values } from "./message.ts"
import type english from "./texts/en.json"

/** Names page and place of a text, such as `sign-in.title`. */
export type TextKey = keyof typeof english

/** The texts of one language: a text for each key. A language may leave out keys that its fallback has. */
export type TextFile = Readonly<Record<string, string>>

export type Language = {
  /** The tag for the attribute `lang`, such as `pt-BR`. */
  readonly tag: string
  readonly direction: "ltr" | "rtl"
  /** The name of the language in itself, such as `Deutsch`. */
  readonly name: string
}

/** A text without placeholders is markup already. */
type Parsed = { readonly text: string; readonly fixed: Html | null; readonly message: Message }

const NO_VALUES: Values = {}

export class Texts {
  readonly language: Language
  readonly formats: Formats
  readonly #files: Iterable<TextFile>
  /** The texts that a page or a mail has used. Most of a language is never used between two starts. */
  readonly #parsed = new Map<TextKey, Parsed>()

  /** `files` in the order in which they are asked: the language itself, and then its fallbacks. */
  constructor(language: Language, files: Iterable<TextFile>) {
    this.language = language
    this.formats = new Formats(language.tag)
    this.#files = files
  }

  /** Returns a text as markup. Values that are strings are escaped. */
  html(key: TextKey, values: Values = NO_VALUES): Html {
    const { fixed, message } = this.#find(key)
    return fixed ?? html`${withOnePeriod(piecesOf(message, values, this.formats))}`
  }

  /** Returns a text for a place without markup, such as a title, an attribute or a mail. */
  plain(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
    const { text, fixed, message } = this.#find(key)
    return fixed === null ? piecesOf(message, values, this.formats).join("") : text
  }

  #find(key: TextKey): Parsed {
    let found = this.#parsed.get(key)
    if (found === undefined) this.#parsed.set(key, (found = parsed(this.#textOf(key))))
    return found
  }

  #textOf(key: TextKey): string {
    for (const file of this.#files) {
      const text = file[key]
      if (text !== undefined) return text
    }
    throw new Error(`there is no text ${JSON.stringify(key)}`)
  }
}

function parsed(text: string): Parsed {
  // Most texts have no placeholder, and these characters are all that the parser gives a meaning.
  if (!/[{}']/.test(text)) return { text, fixed: html`${text}`, message: [] }
  return { text, fixed: null, message: parseMessage(text) }
}

/** Leaves out the period of a sentence after a name that ends with one. */
function withOnePeriod(pieces: Piece[]): readonly Piece[] {
  for (let at = 1; at < pieces.length; at++) {
    const piece = pieces[at]
    if (typeof piece === "string" && piece.startsWith(".") && /\.(?:<\/bdi>)?$/.test(String(pieces[at - 1])))
      pieces[at] = piece.slice(1)
  }
  return pieces
}
