/**
 * Which ceilings follow the setting `registration.permissions`: those of clients with a document, and those of
 * self-registered apps until one is changed by hand or bound to a service account. Interface CD-9, REG-4, SERVICE-2.
 */
import type { Permission } from "../../kernel/ids.ts"
import type { Client } from "./client.rules.ts"

/** A binding stands in for a consent, so only an administrator may widen what it grants. */
export function followsSetting({ registeredBy, ceilingByHand, binding }: Client): boolean {
  if (binding !== null) return false
  return registeredBy === "document" || (registeredBy === "itself" && !ceilingByHand)
}

/** Returns the client with the ceiling of the setting. Returns the same object if nothing changes. */
export function withOpenCeiling(client: Client, ceiling: readonly Permission[]): Client {
  const isKept = !followsSetting(client) || client.ceiling.join(" ") === ceiling.join(" ")
  return isKept ? client : { ...client, ceiling }
}
