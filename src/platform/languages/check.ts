/**
 * Checks the texts of a language against the English ones. The tests check the built-in files with it, and a start those
 * of the operator.
 */
import type { MessageFormatElement } from "@formatjs/icu-messageformat-parser"
import { Formats } from "./formats.ts"
import { loadParser, parseMessage } from "./message.ts"
import type { TextFile } from "./texts.ts"

/** A tag or a character reference. Pages would show both as they are written. */
const MARKUP = /<\/?[a-z!]|&(?:[a-z]+|#\w+);/i

type Used = {
  readonly placeholders: Set<string>
  /** The options of each select, by its placeholder. */
  readonly options: Map<string, Set<string>>
  readonly plurals: (readonly string[])[]
}

/** Returns the texts, or what is wrong with them. A language of the operator may leave out keys. */
export function checkTexts(tag: string, read: unknown, english: TextFile): TextFile | readonly string[] {
  if (typeof read !== "object" || read === null || Array.isArray(read))
    return ["expected an object with a text for each key"]
  const { plural } = new Formats(tag)
  const problems = Object.entries(read).flatMap(([key, text]: [string, unknown]) => {
    const model = Object.hasOwn(english, key) ? english[key] : undefined
    if (model === undefined) return [`${key}: there is no such key`]
    if (typeof text !== "string" || text.trim() === "") return [`${key}: expected a text`]
    if (/\p{Cc}/u.test(text)) return [`${key}: control characters are not allowed`]
    if (MARKUP.test(text)) return [`${key}: markup is not allowed`]
    try {
      return problemsOf(usedIn(text), usedIn(model), plural).map((problem) => `${key}: ${problem}`)
    } catch (error) {
      return [`${key}: ${(error as Error).message}`]
    }
  })
  return problems.length === 0 ? (read as TextFile) : problems
}

function problemsOf(used: Used, model: Used, plural: Intl.PluralRules): readonly string[] {
  const beyond = (some: Used["options"], others: Used["options"]) =>
    [...some].flatMap(([name, options]) => without(options, new Set([...(others.get(name) ?? []), "other"])))
  const missingOptions = beyond(model.options, used.options)
  const foreignOptions = beyond(used.options, model.options)
  return [
    ...without(model.placeholders, used.placeholders).map((name) => `{${name}} is missing`),
    ...without(used.placeholders, model.placeholders).map((name) => `{${name}} is not a placeholder here`),
    ...missingOptions.map((option) => `the option ${JSON.stringify(option)} is missing`),
    ...foreignOptions.map((option) => `${JSON.stringify(option)} is not an option here`),
    ...used.plurals.flatMap((options) => pluralProblems(options, plural)),
  ]
}

function pluralProblems(options: readonly string[], plural: Intl.PluralRules): readonly string[] {
  const categories = new Set<string>(plural.resolvedOptions().pluralCategories)
  const forms = new Set(options.filter((option) => !option.startsWith("=")))
  return [
    ...without(categories, forms)
      .filter((name) => !isSpelledOut(name, options, plural))
      .map((name) => `a plural lacks the form ${JSON.stringify(name)}`),
    ...without(forms, categories).map((name) => `a plural has the foreign form ${JSON.stringify(name)}`),
  ]
}

/** Some languages have a form for millions. */
const COUNTS = [...Array(201).keys(), 1_000_000]

/** Whether each count of a form has an option of its own. English needs no "one" beside "=1". */
function isSpelledOut(form: string, options: readonly string[], plural: Intl.PluralRules): boolean {
  const counts = COUNTS.filter((count) => plural.select(count) === form)
  return counts.length > 0 && counts.every((count) => options.includes(`=${count}`))
}

function without(names: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] {
  return [...names].filter((name) => !others.has(name))
}

function usedIn(text: string): Used {
  const used: Used = { placeholders: new Set(), options: new Map(), plurals: [] }
  collect(parseMessage(text), used)
  return used
}

function collect(elements: readonly MessageFormatElement[], used: Used): void {
  const { TYPE: types } = loadParser()
  for (const element of elements) {
    if (element.type === types.literal || element.type === types.pound) continue
    if (![types.argument, types.number, types.select, types.plural].includes(element.type))
      throw new Error(`a text has an element of an unknown kind: ${element.type}`)
    used.placeholders.add(element.value)
    if (element.type !== types.plural && element.type !== types.select) continue
    const names = Object.keys(element.options)
    if (element.type === types.plural) used.plurals.push(names)
    else used.options.set(element.value, new Set([...(used.options.get(element.value) ?? []), ...names]))
    for (const { value } of Object.values(element.options)) collect(value, used)
  }
}
