/** One text of a language in ICU MessageFormat. Texts have no markup, so a `<` is only a character. */
import { createRequire } from "node:module"
import type { MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser"
import type { Html } from "../../kernel/html.ts"
import type { Formats } from "./formats.ts"

type Parser = { readonly parse: typeof parse; readonly TYPE: typeof TYPE }

let parser: Parser | null = null

/** Loads the parser with its first use, because a service that shows no page does not need it. */
export function loadParser(): Parser {
  return (parser ??= createRequire(import.meta.url)("@formatjs/icu-messageformat-parser") as Parser)
}

/** The values of the placeholders of a text. */
export type Values = Readonly<Record<string, Html | string | number>>

/** A part of a text: one of its literal texts, or a value. */
export type Piece = Html | string

export type Message = readonly MessageFormatElement[]

/** Throws for a text that is not a message. */
export function parseMessage(text: string): Message {
  return loadParser().parse(text, { ignoreTag: true, captureLocation: false })
}

/** Returns the pieces of a text. */
export function piecesOf(message: Message, values: Values, formats: Formats): Piece[] {
  const { TYPE: types } = loadParser()
  const out: Piece[] = []
  add(message, 0)
  return out

  /** `count` is what `#` stands for in a plural. */
  function add(elements: Message, count: number): void {
    for (const element of elements) {
      if (element.type === types.literal) out.push(element.value)
      else if (element.type === types.pound) out.push(formats.number(count))
      else {
        const value = values[element.value]
        if (value === undefined) throw new Error(`a text needs the value ${JSON.stringify(element.value)}`)
        if (element.type === types.select) add(optionOf(element.options, String(value)), count)
        else if (element.type === types.plural) {
          const form = Object.hasOwn(element.options, `=${Number(value)}`)
            ? `=${Number(value)}`
            : formats.plural.select(Number(value))
          add(optionOf(element.options, form), Number(value))
        } else out.push(typeof value === "number" ? formats.number(value) : value)
      }
    }
  }
}

type Options = Readonly<Record<string, { readonly value: Message }>>

function optionOf(options: Options, name: string): Message {
  return (Object.hasOwn(options, name) ? options[name] : options["other"])?.value ?? []
}
