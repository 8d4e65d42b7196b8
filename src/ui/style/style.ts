/**
 * The style sheet of every page, and the longer one of the console. A page carries its sheet inline, so that it is one
 * response. Its content policy names the SHA-256 of exactly these texts.
 */
import { readFileSync } from "node:fs"

const pageSheets = ["base", "consent", "account", "media-queries", "signed-in", "own-app"]
const consoleSheets = ["console", "console-lists", "console-plots"]

export const style: string = textOf(pageSheets)
export const consoleStyle: string = style + textOf(consoleSheets)

/** Leaves out comments and indentation, which are a sixth of the text. */
function textOf(sheets: readonly string[]): string {
  const read = (sheet: string) => readFileSync(new URL(`${sheet}.css`, import.meta.url), "utf8")
  return sheets
    .map(read)
    .join("")
    .replace(/\/\*[^]*?\*\/\s*|^\s+/gm, "")
}
