/**
 * Finds the client of a presented client_id. RFC 6749 §2.2; interface SVC-8.
 *
 * 1. `parseClientId` rejects malformed text without a lookup.
 * 2. `readClient` (`resolve.ts`) or a change loads the row.
 * 3. `resolveClient` returns the client of the row unless it has expired.
 *
 * The client_id in a stored credential or grant needs no parsing.
 */
import type { ClientId } from "../../kernel/ids.ts"
import { isClientId } from "../../kernel/identifier.ts"
import type { Client } from "../../model/clients/client.rules.ts"

export function parseClientId(text: string): ClientId | null {
  return isClientId(text) ? (text as ClientId) : null
}

/** Returns the client of a loaded row. A self-registered app expires at `deleteAfter`, before its row is deleted. */
export function resolveClient(found: Client | null, now: number): Client | null {
  return found !== null && found.deleteAfter !== null && found.deleteAfter <= now ? null : found
}
