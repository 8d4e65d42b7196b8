/**
 * One text of a language, compiled from ICU MessageFormat. The parser runs when a language is loaded, never for a page.
 * Texts have no markup, so a `<` is only a character.
 */
import { createRequire } from "node:module"
import type { MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser"
import type { Html, Insertable } from "../../kernel/html.ts"

type Parser = { readonly parse: typeof parse; readonly TYPE: typeof TYPE }

let parser: Parser | null = null

/** Loads the parser with the first language, because a service that shows no page does not need it. */
export function loadParser(): Parser {
  return (parser ??= createRequire(import.meta.url)("@formatjs/icu-messageformat-parser") as Parser)
}

/** The values of the placeholders of a text. */
export type Values = Readonly<Record<string, Html | string | number>>

type Part = (values: Values, count: number | null) => Insertable

/** Returns the pieces of a text: its literal texts, and its values. */
export type Message = (values: Values) => readonly Insertable[]

/** The rules of a language for counted things and for numbers. */
export type Rules = { readonly plural: Intl.PluralRules; readonly number: Intl.NumberFormat }

/** Throws for a text that is not a message. */
export function parseMessage(text: string): readonly MessageFormatElement[] {
  return loadParser().parse(text, { ignoreTag: true, captureLocation: false })
}

export function compileMessage(text: string, rules: Rules): Message {
  const parts = partsOf(parseMessage(text), rules)
  return (values) => parts.map((part) => part(values, null))
}

function partsOf(elements: readonly MessageFormatElement[], rules: Rules): readonly Part[] {
  return elements.map((element) => partOf(element, rules))
}

function partOf(element: MessageFormatElement, rules: Rules): Part {
  const { TYPE: types } = loadParser()
  switch (element.type) {
    case types.literal:
      return () => element.value
    case types.argument:
    case types.number:
      return (values) => shown(valueOf(values, element.value), rules)
    case types.pound:
      return (_, count) => rules.number.format(count ?? 0)
    case types.select:
    case types.plural: {
      const options = new Map(
        Object.entries(element.options).map(([name, { value }]) => [name, partsOf(value, rules)] as const),
      )
      const other = options.get("other") ?? []
      if (element.type === types.select)
        return (values, count) =>
          (options.get(String(valueOf(values, element.value))) ?? other).map((part) => part(values, count))
      return (values) => {
        const count = Number(valueOf(values, element.value))
        const chosen = options.get(`=${count}`) ?? options.get(rules.plural.select(count)) ?? other
        return chosen.map((part) => part(values, count))
      }
    }
    default:
      throw new Error(`a text has an element of an unknown kind: ${element.type}`)
  }
}

function valueOf(values: Values, name: string): Html | string | number {
  const value = values[name]
  if (value === undefined) throw new Error(`a text needs the value ${JSON.stringify(name)}`)
  return value
}

function shown(value: Html | string | number, { number }: Rules): Html | string {
  return typeof value === "number" ? number.format(value) : value
}
