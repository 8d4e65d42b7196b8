/**
 * Encodes pages. Four fifths of a page are its style sheet. Node would encode it again for each page, and take longer for
 * that than for all the rest, because one letter beyond Latin 1 makes each character of a page two bytes wide.
 */
import { consoleStyle, style } from "./style.ts"

const sheets = [style, consoleStyle].map((text) => ({ length: text.length, bytes: bytesOf(text) }))

/** Returns the bytes of a page in UTF-8, as one character each. */
export function pageBytes(page: string): string {
  const start = page.indexOf("<style>") + "<style>".length
  const sheet = sheets.find(({ length }) => page.startsWith("</style>", start + length))
  if (sheet === undefined) return bytesOf(page)
  return bytesOf(page.slice(0, start)) + sheet.bytes + bytesOf(page.slice(start + sheet.length))
}

function bytesOf(text: string): string {
  return Buffer.from(text).toString("latin1")
}
