/** The record of a document, for the command line, the API and the console. CD-11. */
import type { Client } from "../../model/clients/client.rules.ts"
import {
  choice,
  instant,
  integer,
  list,
  orNull,
  type Parsed,
  record,
  text,
} from "../../platform/json/shape.rules.ts"
import { type ClientDocument, documentState } from "../../model/clients/document.rules.ts"
import { FAILURE_KEPT_SECONDS } from "../../kernel/limits.ts"

export const documentShape = record("Document", {
  client_id: text("The URL of the document.", "https://app.example/oauth/client.json"),
  client_name: text("The name of the app.", "My notes"),
  host: text("The host of the URL, with its port.", "app.example"),
  state: choice("The state of the stored copy.", ["fresh", "stale", "failing", "pinned", "denied"]),
  fetched_at: orNull(instant("When the copy was fetched or pinned")),
  next_fetch_at: orNull(instant("When an authorization fetches it next"), null),
  last_error: orNull(text("Why the last fetch failed.", "The host answered with status 403."), null),
  left_out: list(
    "Redirect URIs of the document that were left out, and why.",
    text(
      "A redirect URI and the reason.",
      "http://[::1]/callback: an IPv6 address cannot be registered; use 127.0.0.1",
    ),
  ),
  credentials: integer("Active credentials.", 12),
})

export type DocumentRecord = Parsed<typeof documentShape>

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
    left_out: document.leftOut,
    credentials,
  }
}

function nextFetchAt({ isPinned, isDenied, freshUntil, failure }: ClientDocument): number | null {
  if (isPinned || isDenied) return null
  return failure === null ? freshUntil : Math.max(freshUntil, failure.at + FAILURE_KEPT_SECONDS)
}
