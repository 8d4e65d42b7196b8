/** Reads YAML files of which every problem has its line. */
import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument, type YAMLMap } from "yaml"
import { ADDRESS_RANGE_EXPECTED, parseAddressRange } from "./address-range.ts"
import { didYouMean } from "../../kernel/suggest.ts"
import type { LocalText } from "../../model/permissions/permission-catalog.rules.ts"
import { canonicalTag } from "../languages/choose.ts"

export type FileProblem = { readonly line: number; readonly problem: string }

export type Entry = { readonly value: Node | null; readonly line: number }

/** The path of another file, and the line that names it. */
export type FileName = { readonly path: string; readonly line: number }

/** A control character that is no white space. A description may have several lines. */
const CONTROL = /[^\P{Cc}\s]/u

/** Parses the text. With problems of its syntax, `root` is incomplete. */
export function parseYaml(text: string) {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, schema: "core" })
  const problems: readonly FileProblem[] = document.errors.map(({ message, pos }) => ({
    line: lines.linePos(pos[0]).line,
    problem: message.split("\n")[0] ?? message,
  }))
  return { document, root: document.contents, lines, problems }
}

/** Reads YAML nodes and collects the problems in them. */
export class YamlReader {
  readonly problems: FileProblem[] = []
  readonly #lines: LineCounter

  constructor(lines: LineCounter) {
    this.#lines = lines
  }

  ranges(node: Node | null | undefined, what: string): readonly string[] {
    return this.items(node, what, "a list of address ranges").flatMap((item) => {
      const range = isScalar(item) && typeof item.value === "string" ? parseAddressRange(item.value) : null
      if (range === null) this.problem(item, `${what}: ${shown(item)}: ${ADDRESS_RANGE_EXPECTED}`)
      return range ?? []
    })
  }

  text(entry: Entry | undefined, what: string): string | undefined {
    if (entry === undefined) return undefined
    const value = isScalar(entry.value) ? entry.value.value : undefined
    if (typeof value === "string" && value.trim() !== "") return value.trim()
    this.say(entry.line, `${what}: expected a text`)
    return undefined
  }

  /** Reads a text, or a text for each of some languages. LANG-9 */
  localText(entry: Entry | undefined, what: string): LocalText | undefined {
    if (entry === undefined || !isMap(entry.value)) return this.#visible(entry, what)
    const texts = new Map<string, string>()
    for (const [name, one] of this.entries(entry.value, null, what)) {
      const tag = canonicalTag(name)
      const text = this.#visible(one, `${what}: ${name}`)
      if (tag === null) this.say(one.line, `${what}: ${name}: expected the tag of a language, such as pt-BR`)
      else if (texts.has(tag)) this.say(one.line, `${what}: ${name}: expected each language only once`)
      else texts.set(tag, text ?? "")
    }
    if (entry.value.items.length === 0) this.say(entry.line, `${what}: expected a text for a language`)
    return texts
  }

  #visible(entry: Entry | undefined, what: string): string | undefined {
    const text = this.text(entry, what)
    if (text === undefined || entry === undefined || !CONTROL.test(text)) return text
    this.say(entry.line, `${what}: expected a text without control characters`)
    return undefined
  }

  /** Reads a list of texts. A missing entry is an empty list. */
  texts(entry: Entry | undefined, what: string, expected?: string): readonly string[] {
    return this.textsWithLines(entry, what, expected).map(({ text }) => text)
  }

  /** Reads a list of texts, each with its line. */
  textsWithLines(
    entry: Entry | undefined,
    what: string,
    expected = "a list of texts",
  ): readonly { readonly text: string; readonly line: number }[] {
    return this.items(entry?.value, what, expected).flatMap((item) => {
      const text = isScalar(item) && typeof item.value === "string" ? item.value.trim() : ""
      if (text === "") this.problem(item, `${what}: ${shown(item)}: expected a text`)
      return text === "" ? [] : { text, line: this.lineOf(item) ?? 1 }
    })
  }

  truth(entry: Entry | undefined, what: string): boolean {
    if (entry === undefined) return false
    const value = isScalar(entry.value) ? entry.value.value : undefined
    if (typeof value === "boolean") return value
    this.say(entry.line, `${what}: expected true or false`)
    return false
  }

  /** Reads the name of another file. */
  file(entry: Entry | undefined, what: string): FileName | null {
    const path = this.text(entry, what)
    return path === undefined || entry === undefined ? null : { path, line: entry.line }
  }

  choice<T extends string>(entry: Entry | undefined, what: string, values: readonly T[]): T | undefined {
    if (entry === undefined) return undefined
    const value = isScalar(entry.value) ? entry.value.value : undefined
    const known = values.find((one) => one === value)
    if (known === undefined)
      this.say(entry.line, `${what}: ${shown(entry.value)}: expected ${values.join(" or ")}`)
    return known
  }

  number(
    entry: Entry | undefined,
    what: string,
    { least, most, usual }: { readonly least: number; readonly most: number; readonly usual: number },
  ): number {
    const value = isScalar(entry?.value) ? entry.value.value : undefined
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value
    if (entry !== undefined)
      this.say(entry.line, `${what}: ${shown(entry.value)}: expected a number from ${least} to ${most}`)
    return usual
  }

  items(node: Node | null | undefined, what: string, expected: string): readonly Node[] {
    if (isEmpty(node)) return []
    if (isSeq<Node>(node)) return node.items
    this.problem(node, `${what}: expected ${expected}`)
    return []
  }

  /** Returns the entries of a map by name. `known` lists the allowed names. Null allows every name. */
  entries(
    node: Node | null | undefined,
    known: readonly string[] | null,
    what: string,
    line = 1,
  ): ReadonlyMap<string, Entry> {
    if (!isMap(node)) {
      this.say(this.lineOf(node) ?? line, `${what}: expected names with values`)
      return new Map()
    }
    return new Map(
      (node as YAMLMap<Node, Node | null>).items.flatMap((pair) => this.#entry(pair, known, what)),
    )
  }

  #entry(
    { key, value }: Pair<Node, Node | null>,
    known: readonly string[] | null,
    what: string,
  ): readonly (readonly [string, Entry])[] {
    const name = isScalar(key) ? String(key.value) : ""
    const line = this.lineOf(key) ?? 1
    if (known === null || known.includes(name)) return [[name, { value, line }]]
    const expected = `expected ${known.join(", ")}.${didYouMean(name, known)}`
    this.say(line, `${what}: "${name}" is not known; ${expected}`)
    return []
  }

  problem(node: Node | null | undefined, problem: string): void {
    this.say(this.lineOf(node) ?? 1, problem)
  }

  say(line: number, problem: string): void {
    this.problems.push({ line, problem })
  }

  lineOf(node: Node | null | undefined): number | null {
    const start = node?.range?.[0]
    return start === undefined ? null : this.#lines.linePos(start).line
  }
}

export function isEmpty(node: Node | null | undefined): node is null | undefined {
  return node === null || node === undefined || (isScalar(node) && node.value === null)
}

export function shown(node: Node | null): string {
  if (isScalar(node) && typeof node.value === "number") return String(node.value)
  return node === null || isScalar(node) ? JSON.stringify(node?.value ?? null) : "this"
}
