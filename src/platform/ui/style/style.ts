/**
 * The style sheets. Each page contains its style sheet, so that it needs only one request. The content security policy
 * names the SHA-256 of these exact texts.
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"

const pageSheets = ["base", "consent", "account", "media-queries", "signed-in", "own-app"]
const consoleSheets = ["console", "console-lists", "console-plots"]

export const style: string = textOf(pageSheets)
export const consoleStyle: string = style + textOf(consoleSheets)

/** Returns how a content security policy names a style sheet. */
export function sourceOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`
}

/** Joins style sheets. Removes comments and most space, which are a fourth of the text. */
export function textOf(sheets: readonly string[]): string {
  const read = (sheet: string) => readFileSync(new URL(`${sheet}.css`, import.meta.url), "utf8")
  const text = sheets
    .map(read)
    .join("")
    .replace(/\/\*[^]*?\*\/\s*|^\s+/gm, "")
  // One regular expression for all of them would take ten times as long, at every start.
  return [" {", "{\n", "}\n", ";\n", ",\n", ", ", ": "].reduce(
    (less, one) => less.replaceAll(one, one.trim()),
    text,
  )
}
