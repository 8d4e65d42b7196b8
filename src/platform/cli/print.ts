/** Formats the output of commands. `visible` escapes stored text for the terminal. */
import { isDocumentUrl } from "../../kernel/identifier.ts"
import { type Answer, done } from "./command.ts"

type Cell = string | number | boolean | null

/** Formats rows as a table with a header line. Returns `empty` if there are no rows. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[], empty: string): string {
  if (rows.length === 0) return empty
  return columns([head.map((name) => name.toUpperCase()), ...rows.map((row) => row.map(cell))])
}

/** Prints records. The text is a table with the columns of `rowOf`, or `empty` if there are no records. */
export function printedList<R>(
  records: readonly R[],
  empty: string,
  rowOf: (record: R, index: number) => Readonly<Record<string, Cell>>,
): Answer {
  const rows = records.map(rowOf)
  return done(records, table(Object.keys(rows[0] ?? {}), rows.map(Object.values<Cell>), empty))
}

/** Formats a record. Each member has one line with its name and its value. */
export function facts(record: Readonly<Record<string, Cell | readonly Cell[]>>): string {
  return columns(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === "object" && value !== null ? value.map(cell).join(" ") || "-" : cell(value),
    ]),
  )
}

export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows)
    for (const [i, text] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, [...text].length)
  return rows
    .map((row) =>
      row
        .map((text, i) => text + " ".repeat((widths[i] ?? 0) - [...text].length))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
}

/** Formats an app by its name. The name in a document can be anything, so the URL of the document follows. */
export function appText(name: string | null, clientId: string): string {
  if (name === null) return clientId
  return isDocumentUrl(clientId) ? `${name} (${clientId})` : name
}

/** Formats a time in UTC, such as `2027-03-01 08:15:00Z`. */
export function instant(at: number | null): string | null {
  return at === null ? null : new Date(at * 1000).toISOString().replace("T", " ").replace(".000", "")
}

function cell(value: Cell): string {
  if (value === null || value === "") return "-"
  if (typeof value === "boolean") return value ? "yes" : "no"
  return visible(String(value))
}

const CONTROL_CHARACTERS = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

/** Replaces characters that move the cursor or change the reading direction. */
export function visible(text: string): string {
  return text.replaceAll(CONTROL_CHARACTERS, "\uFFFD")
}

/** Formats a value as JSON. Escapes the characters that `visible` replaces. */
export function visibleJson(value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  return JSON.stringify(value, null, 2)
    .split("\n")
    .map((line) => line.replaceAll(CONTROL_CHARACTERS, escaped))
    .join("\n")
}
