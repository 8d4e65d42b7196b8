/**
 * One text of a language, compiled from ICU MessageFormat. The parser runs when a language is loaded, never for a page.
 * Texts have no markup, so a `<` is only a character.
 */
import { createRequire } from "node:module"
import type { MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser"
import type { Html } from "../../kernel/html.ts"

type Parser = { readonly parse: typeof parse; readonly TYPE: typeof TYPE }

let parser: Parser | null = null

/** Loads the parser with the first language, because a service that shows no page does not need it. */
export function loadParser(): Parser {
  return (parser ??= createRequire(import.meta.url)("@formatjs/icu-messageformat-parser") as Parser)
}

/** The values of the placeholders of a text. */
export type Values = Readonly<Record<string, Html | string | number>>

/** Adds its pieces to `out`. */
type Part = (values: Values, count: number, out: Piece[]) => void

export type Piece = Html | string

/** Returns the pieces of a text: its literal texts, and its values. */
export type Message = (values: Values) => Piece[]

/** The rules of a language for counted things and for numbers. */
export type Rules = { readonly plural: Intl.PluralRules; readonly number: (value: number) => string }

export function rulesOf(tag: string): Rules {
  const format = new Intl.NumberFormat(tag)
  // Most numbers of a page are small, and a format takes longer than the rest of a text.
  const small = Array.from({ length: 100 }, (_, value) => format.format(value))
  return { plural: new Intl.PluralRules(tag), number: (value) => small[value] ?? format.format(value) }
}

/** Throws for a text that is not a message. */
export function parseMessage(text: string): readonly MessageFormatElement[] {
  return loadParser().parse(text, { ignoreTag: true, captureLocation: false })
}

export function compileMessage(text: string, rules: Rules): Message {
  const part = partOf(parseMessage(text), rules)
  return (values) => {
    const out: Piece[] = []
    part(values, 0, out)
    return out
  }
}

function partOf(elements: readonly MessageFormatElement[], rules: Rules): Part {
  const parts = elements.map((element) => elementPart(element, rules))
  const [first] = parts
  if (parts.length === 1 && first !== undefined) return first
  return (values, count, out) => {
    for (const part of parts) part(values, count, out)
  }
}

function elementPart(element: MessageFormatElement, rules: Rules): Part {
  const { TYPE: types } = loadParser()
  switch (element.type) {
    case types.literal:
      return (_, __, out) => void out.push(element.value)
    case types.argument:
    case types.number:
      return (values, _, out) => {
        const value = valueOf(values, element.value)
        out.push(typeof value === "number" ? rules.number(value) : value)
      }
    case types.pound:
      return (_, count, out) => void out.push(rules.number(count))
    case types.select: {
      const { options, other } = optionsOf(element.options, rules)
      return (values, count, out) =>
        (options.get(String(valueOf(values, element.value))) ?? other)(values, count, out)
    }
    case types.plural: {
      const { options, other } = optionsOf(element.options, rules)
      return (values, _, out) => {
        const count = Number(valueOf(values, element.value))
        const chosen = options.get(`=${count}`) ?? options.get(rules.plural.select(count)) ?? other
        chosen(values, count, out)
      }
    }
    default:
      throw new Error(`a text has an element of an unknown kind: ${element.type}`)
  }
}

type Options = Readonly<Record<string, { readonly value: readonly MessageFormatElement[] }>>

function optionsOf(given: Options, rules: Rules) {
  const options = new Map(Object.entries(given).map(([name, { value }]) => [name, partOf(value, rules)]))
  return { options, other: options.get("other") ?? partOf([], rules) }
}

function valueOf(values: Values, name: string): Html | string | number {
  const value = values[name]
  if (value === undefined) throw new Error(`a text needs the value ${JSON.stringify(name)}`)
  return value
}
