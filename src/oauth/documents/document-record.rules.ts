/** The record of a document, for the command line, the API and the console. CD-11. */
import type { Client } from "../../model/clients/client.rules.ts"
import { type ClientDocument, type DocumentState, documentState } from "../../model/clients/document.rules.ts"
import { FAILURE_KEPT_SECONDS } from "../../kernel/limits.ts"

export type DocumentRecord = {
  readonly client_id: string
  readonly client_name: string
  readonly host: string
  readonly state: DocumentState
  readonly fetched_at: number | null
  /**
   * After this time, an authorization request fetches the document. The value is null for a pinned or denied document.
   */
  readonly next_fetch_at: number | null
  readonly last_error: string | null
  /** The number of active credentials. */
  readonly credentials: number
}

export function documentRecord(
  { clientId, name }: Client,
  document: ClientDocument,
  credentials: number,
  now: number,
): DocumentRecord {
  return {
    client_id: clientId,
    client_name: name,
    host: /^https:\/\/([^/]*)/.exec(clientId)?.[1] ?? "",
    state: documentState(document, now),
    fetched_at: document.fetchedAt,
    next_fetch_at: nextFetchAt(document),
    last_error: document.failure?.problem ?? null,
    credentials,
  }
}

function nextFetchAt({ isPinned, isDenied, freshUntil, failure }: ClientDocument): number | null {
  if (isPinned || isDenied) return null
  return failure === null ? freshUntil : Math.max(freshUntil, failure.at + FAILURE_KEPT_SECONDS)
}
