/** The audit trail as a file: a row an event, newest first, written while it is read. */
import type { EventFilter, RecordedEvent } from "../store/store.ts"
import type { Latchkey } from "./latchkey.ts"
import { type Names, namesIn } from "./paged.ts"

/** A file of more is no file that anybody opens: narrow the filter instead. */
export const EXPORTED_AT_MOST = 100_000

const ROWS_TOGETHER = 500

export type ExportFormat = {
  readonly ending: string
  readonly contentType: string
  /** What stands before the first row. */
  readonly head: string
  readonly row: (row: ExportedEvent) => string
}

/** A row of the file; names are as they are now. */
export type ExportedEvent = {
  readonly id: number
  readonly at: number
  readonly kind: string
  readonly user_id: string | null
  readonly username: string | null
  readonly client_id: string | null
  readonly client_name: string | null
  readonly token_id: string | null
  /** Who did it, where that was somebody else. */
  readonly actor_id: string | null
  readonly actor: string | null
  readonly address: string | null
  readonly detail: string | null
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
] as const satisfies readonly (keyof ExportedEvent)[]

export const exportFormats: ReadonlyMap<string, ExportFormat> = new Map([
  [
    "csv",
    {
      ending: "csv",
      contentType: "text/csv; charset=utf-8; header=present",
      head: `${columns.join(",")}\r\n`,
      // A spreadsheet takes RFC 3339 for a time; programs get the seconds that they get everywhere else.
      row: (row: ExportedEvent) =>
        `${columns.map((name) => csvCell(name === "at" ? inUtc(row.at) : row[name])).join(",")}\r\n`,
    },
  ],
  [
    "jsonl",
    {
      ending: "jsonl",
      contentType: "application/jsonl; charset=utf-8",
      head: "",
      row: (row: ExportedEvent) => `${JSON.stringify(row)}\n`,
    },
  ],
])

/** The rows of the filtered list, at most `EXPORTED_AT_MOST`. The next are read when somebody takes them. */
export async function* exportedEvents(
  { store }: Pick<Latchkey, "store">,
  filter: EventFilter,
  { head, row }: ExportFormat,
): AsyncGenerator<string> {
  yield head
  let after: string | undefined
  for (let written = 0; written < EXPORTED_AT_MOST; written += ROWS_TOGETHER) {
    const events = await store.events(filter, { after, limit: ROWS_TOGETHER })
    const names = await namesIn({ store }, events)
    yield events.map((event) => row(exported(event, names))).join("")
    const last = events.at(-1)
    if (last === undefined || events.length < ROWS_TOGETHER) return
    after = String(last.id)
  }
}

function exported(event: RecordedEvent, { accounts, apps }: Names): ExportedEvent {
  const { id, at, kind, userId, clientId, tokenId, actorId, address, detail } = event
  return {
    id,
    at,
    kind,
    user_id: userId,
    username: userId === null ? null : (accounts.get(userId) ?? null),
    client_id: clientId,
    client_name: clientId === null ? null : (apps.get(clientId) ?? null),
    token_id: tokenId,
    actor_id: actorId,
    actor: actorId === null ? null : (accounts.get(actorId) ?? null),
    address,
    detail,
  }
}

function inUtc(at: number): string {
  return new Date(at * 1000).toISOString()
}

/**
 * RFC 4180 §2, each cell in quotes. What a spreadsheet would take for a formula, also after spaces and in full width,
 * begins with an apostrophe.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return '""'
  const text = String(value)
  const isFormula = typeof value === "string" && /^[\s\u00a0]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text)
  return `"${isFormula ? "'" : ""}${text.replaceAll('"', '""')}"`
}
