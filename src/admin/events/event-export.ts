/** Streams the audit trail as a file: one row per event, newest first. */
import { type EventRecord, eventRecords } from "./event-record.ts"
import type { EventFilter } from "../../store/list-shapes.ts"
import type { Services } from "../../platform/services/services.ts"

/** The maximum number of rows in a file. Another filter can select the remaining rows. */
export const EXPORTED_AT_MOST = 100_000

const ROWS_TOGETHER = 500

export type ExportFormat = {
  readonly ending: string
  readonly contentType: string
  /** The text at the beginning of the file, before the first row. */
  readonly head: string
  readonly row: (row: EventRecord) => string
}

const columns = [
  "id",
  "at",
  "kind",
  "user_id",
  "username",
  "client_id",
  "client_name",
  "token_id",
  "actor_id",
  "actor",
  "address",
  "detail",
] as const satisfies readonly (keyof EventRecord)[]

export const exportFormats: ReadonlyMap<string, ExportFormat> = new Map([
  [
    "csv",
    {
      ending: "csv",
      contentType: "text/csv; charset=utf-8; header=present",
      head: `${columns.join(",")}\r\n`,
      // A spreadsheet recognizes RFC 3339 times. JSON lines contain seconds, as the API does.
      row: (row: EventRecord) =>
        `${columns.map((name) => csvCell(name === "at" ? inUtc(row.at) : row[name])).join(",")}\r\n`,
    },
  ],
  [
    "jsonl",
    {
      ending: "jsonl",
      contentType: "application/jsonl; charset=utf-8",
      head: "",
      row: (row: EventRecord) => `${JSON.stringify(row)}\n`,
    },
  ],
])

/**
 * Yields at most `EXPORTED_AT_MOST` rows that match the filter. Reads more rows from the database only when the client
 * has taken the earlier ones.
 */
export async function* exportedEvents(
  { store }: Pick<Services, "store">,
  filter: EventFilter,
  { head, row }: ExportFormat,
): AsyncGenerator<string> {
  yield head
  let after: string | undefined
  for (let written = 0; written < EXPORTED_AT_MOST; written += ROWS_TOGETHER) {
    const events = await store.events(filter, { after, limit: ROWS_TOGETHER })
    yield (await eventRecords({ store }, events)).map(row).join("")
    const last = events.at(-1)
    if (last === undefined || events.length < ROWS_TOGETHER) return
    after = String(last.id)
  }
}

function inUtc(at: number): string {
  return new Date(at * 1000).toISOString()
}

/**
 * Quotes a cell (RFC 4180 §2). A leading apostrophe stops spreadsheets from running a cell as a formula. Formula
 * characters after spaces and in full width get the apostrophe too.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return '""'
  const text = String(value)
  const isFormula = typeof value === "string" && /^[\s\u00a0]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text)
  return `"${isFormula ? "'" : ""}${text.replaceAll('"', '""')}"`
}
