/** The audit trail as a file, one row per event, newest first. It is streamed. */
import { type EventRecord, eventRecord } from "./event-record.rules.ts"
import type { EventFilter } from "../store/store.ts"
import type { Services } from "../services/services.ts"
import { namesIn } from "./paged.ts"

/** A larger file is of no use: narrow the filter instead. */
export const EXPORTED_AT_MOST = 100_000

const ROWS_TOGETHER = 500

export type ExportFormat = {
  readonly ending: string
  readonly contentType: string
  /** The text before the first row. */
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
      // Spreadsheets read RFC 3339 as a time. Programs get seconds, as in the API.
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

/** The rows of the filtered list, at most `EXPORTED_AT_MOST`. The next are read when the client takes them. */
export async function* exportedEvents(
  { store }: Pick<Services, "store">,
  filter: EventFilter,
  { head, row }: ExportFormat,
): AsyncGenerator<string> {
  yield head
  let after: string | undefined
  for (let written = 0; written < EXPORTED_AT_MOST; written += ROWS_TOGETHER) {
    const events = await store.events(filter, { after, limit: ROWS_TOGETHER })
    const names = await namesIn({ store }, events)
    yield events.map((event) => row(eventRecord(event, names))).join("")
    const last = events.at(-1)
    if (last === undefined || events.length < ROWS_TOGETHER) return
    after = String(last.id)
  }
}

function inUtc(at: number): string {
  return new Date(at * 1000).toISOString()
}

/**
 * RFC 4180 §2, each cell in quotes. An apostrophe precedes what a spreadsheet would run as a formula, also after spaces
 * and in full width.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return '""'
  const text = String(value)
  const isFormula = typeof value === "string" && /^[\s\u00a0]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text)
  return `"${isFormula ? "'" : ""}${text.replaceAll('"', '""')}"`
}
