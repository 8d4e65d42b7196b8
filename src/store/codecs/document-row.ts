import type { ClientId } from "../../kernel/ids.ts"
import type { ClientDocument, DocumentPart } from "../../model/clients/document.rules.ts"
import { upsertInto } from "./insert.ts"
import type { Value } from "./value.ts"

export type DocumentRow = {
  readonly client_id: string
  readonly fetched_at: number | null
  readonly fresh_until: number
  readonly failed_at: number | null
  readonly failure: string | null
  readonly pinned: number
  readonly denied: number
  readonly changed_at: number | null
  readonly changes: string | null
  readonly may_drop_key: number
  readonly left_out: string | null
}

export const documentColumns =
  "client_id, fetched_at, fresh_until, failed_at, failure, pinned, denied, changed_at, changes, may_drop_key, " +
  "left_out"

export function documentOf(row: DocumentRow): ClientDocument {
  const { failed_at, failure, changed_at, changes } = row
  return {
    clientId: row.client_id as ClientId,
    fetchedAt: row.fetched_at,
    freshUntil: row.fresh_until,
    failure: failed_at === null || failure === null ? null : { at: failed_at, problem: failure },
    isPinned: row.pinned === 1,
    isDenied: row.denied === 1,
    changed:
      changed_at === null || changes === null
        ? null
        : { at: changed_at, parts: changes.split(" ") as DocumentPart[] },
    mayDropKey: row.may_drop_key === 1,
    leftOut: row.left_out === null ? [] : (JSON.parse(row.left_out) as string[]),
  }
}

export function documentValues(document: ClientDocument): Value[] {
  return [
    document.clientId,
    document.fetchedAt,
    document.freshUntil,
    document.failure?.at ?? null,
    document.failure?.problem ?? null,
    document.isPinned ? 1 : 0,
    document.isDenied ? 1 : 0,
    document.changed?.at ?? null,
    document.changed?.parts.join(" ") ?? null,
    document.mayDropKey ? 1 : 0,
    document.leftOut.length === 0 ? null : JSON.stringify(document.leftOut),
  ]
}

export const SET_DOCUMENT = upsertInto("client_document", "client_id", documentColumns)
