/**
 * Encodes pages. Four fifths of a page are its style sheet, which is ASCII. Node would encode it again for each page,
 * and take longer for that than for all the rest, because one letter beyond Latin 1 makes each character of the page two
 * bytes wide.
 */
import { style } from "./style.ts"

/** Returns the bytes of a page in UTF-8, one character each. `sheet` is the style sheet of the page. */
export function pageBytes(page: string, sheet = style): string {
  const start = page.indexOf("<style>") + "<style>".length
  const end = start + sheet.length
  if (!page.startsWith("</style>", end)) return bytesOf(page)
  return bytesOf(page.slice(0, start)) + sheet + bytesOf(page.slice(end))
}

const bytesOf = (text: string) => Buffer.from(text).toString("latin1")
