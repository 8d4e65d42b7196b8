/**
 * The style sheets. Each page contains its style sheet, so that it needs only one request. The content security policy
 * names the SHA-256 of these exact texts. A sheet is read when the first module that uses it is loaded.
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"

type Sheet = { readonly length: number; readonly bytes: string; readonly source: string }

const sheets: Sheet[] = []

/** The sheet of pages that are not signed-in pages. Every other sheet begins with it. */
export const style = pageSheet(["base", "consent", "sign-in", "media-queries"])

/** Returns a sheet for pages. */
export function pageSheet(names: readonly string[], begin = ""): string {
  const text = begin + textOf(names)
  sheets.push({ length: text.length, bytes: bytesOf(text), source: sourceOf(text) })
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

/**
 * Encodes a page, and says how its content security policy names its sheet. Half of a page are its style sheet. Node
 * would encode it again for each page, and take longer for that than for all the rest, because one letter beyond Latin 1
 * makes each character of a page two bytes wide. `bytes` has one character for each byte of UTF-8.
 */
export function encodedPage(page: string): { readonly bytes: string; readonly source: string | undefined } {
  const start = page.indexOf("<style>") + "<style>".length
  const sheet = sheets.find(({ length }) => page.startsWith("</style>", start + length))
  if (sheet === undefined) return { bytes: bytesOf(page), source: undefined }
  const bytes = bytesOf(page.slice(0, start)) + sheet.bytes + bytesOf(page.slice(start + sheet.length))
  return { bytes, source: sheet.source }
}

function bytesOf(text: string): string {
  return Buffer.from(text).toString("latin1")
}
