/**
 * The style sheets. Each page contains its style sheet, so that it needs only one request. The content security policy
 * names the SHA-256 of these exact texts. A sheet is read when the first module that uses it is loaded.
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"

type Sheet = { readonly text: string; readonly bytes: Buffer; readonly source: string }

const sheets: Sheet[] = []

/** The sheet of pages that are not signed-in pages. Every other sheet begins with it. */
export const style = pageSheet(["base", "consent", "sign-in", "media-queries"])

/** Returns a sheet for pages. */
export function pageSheet(names: readonly string[], begin = ""): string {
  const text = begin + textOf(names)
  sheets.push({ text, bytes: Buffer.from(text), source: sourceOf(text) })
  return text
}

/** Returns how a content security policy names a style sheet. */
export function sourceOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`
}

/** Joins style sheets. Removes comments and most space, which are a fourth of the text. */
export function textOf(names: readonly string[]): string {
  const read = (sheet: string) => readFileSync(new URL(`${sheet}.css`, import.meta.url), "utf8")
  const text = names
    .map(read)
    .join("")
    .replace(/\/\*[^]*?\*\/\s*|^\s+/gm, "")
  // One regular expression for all of them would take ten times as long, at every start.
  return [" {", "{\n", "}\n", ";\n", ",\n", ", ", ": "].reduce(
    (less, one) => less.replaceAll(one, one.trim()),
    text,
  )
}

/** A page in three parts. Its style sheet is half of it, and is in memory as bytes. */
export type Page = {
  readonly before: string
  readonly sheet: Buffer
  readonly after: string
  /** How the content security policy names the sheet. */
  readonly source: string | undefined
}

let last: (Page & { readonly text: string }) | null = null

/** Returns the text of a page. Its parts are kept until it is sent: nearly every page is sent before the next is made. */
export function pageText(before: string, sheet: string, after: string): string {
  const text = before + sheet + after
  const known = sheets.find((one) => one.text === sheet)
  last = known === undefined ? null : { text, before, sheet: known.bytes, after, source: known.source }
  return text
}

/**
 * Splits a page into its parts. A style sheet is half of its page. Node would encode it again for each page, and a
 * search for it would copy the whole page.
 */
export function pageParts(text: string): Page {
  const kept = last
  last = null
  if (kept?.text === text) return kept
  const start = text.indexOf("<style>") + "<style>".length
  const known = sheets.find((one) => text.startsWith(`${one.text}</style>`, start))
  if (known === undefined) return { before: "", sheet: Buffer.alloc(0), after: text, source: undefined }
  const after = text.slice(start + known.text.length)
  return { before: text.slice(0, start), sheet: known.bytes, after, source: known.source }
}
