/**
 * The one place that turns a presented client_id into a client. RFC 6749 §2.2; interface SVC-8.
 *
 * 1. `parseClientId`: what cannot be a client_id is unknown, and is never looked up.
 * 2. The row is loaded, by `readClient` (`resolve.ts`) or by the change that also decides.
 * 3. `resolveClient`: the row is the client, if its time has not passed.
 *
 * A credential or a grant names its client by the stored id. Its row is read directly, as `appOf` of the store.
 */
import type { ClientId } from "../../kernel/ids.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Client } from "../../records/client.rules.ts"
import type { Refusal } from "../refusal.rules.ts"

/** The client_id; null for a text that cannot be one. */
export function parseClientId(text: string): ClientId | null {
  return isIdentifier(text) ? (text as ClientId) : null
}

/** The client of a loaded row. An app that registered itself is gone at its `deleteAfter`, before its row is deleted. */
export function resolveClient(found: Client | null, now: number): Client | null {
  return found !== null && found.deleteAfter !== null && found.deleteAfter <= now ? null : found
}

/**
 * The client, if it may be used at `now` without authentication.
 * Refuses: clientUnknown, clientDisabled.
 */
export function resolveEnabledClient(found: Client | null, now: number): Result<Client, Refusal> {
  const client = resolveClient(found, now)
  if (client === null) return err({ reason: "clientUnknown" })
  return client.enabled ? ok(client) : err({ reason: "clientDisabled" })
}
