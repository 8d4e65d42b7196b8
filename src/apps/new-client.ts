/** Builds a new app as it is stored, for every kind of registration. */
import type { ClientId, Hash, UserId } from "../kernel/ids.ts"
import type { Client, RegisteredBy } from "../model/clients/client.rules.ts"
import type { Registration } from "../model/clients/registration.rules.ts"
import type { NewClient } from "./app-writes.rules.ts"
import { newId } from "../kernel/random.ts"
import { newClientSecret } from "../oauth/credential/token.ts"

export type Registrar = {
  readonly registeredBy: RegisteredBy
  readonly ownerId: UserId | null
  readonly registrationHash?: Hash | null
  readonly deleteAfter?: number | null
  /** The digest of the icon that is stored with the app. */
  readonly iconHash?: Hash | null
}

/**
 * Builds an app with a new id. A confidential app without keys gets a new secret. The database stores only the digest
 * of the secret.
 */
export function newClient(registration: Registration, by: Registrar, now: number): NewClient {
  const secret = registration.type === "confidential" && registration.keys === null ? newClientSecret() : null
  const client: Client = {
    ...registration,
    clientId: newId<ClientId>(now),
    secretHash: secret?.hash ?? null,
    enabled: true,
    disabledByOwner: false,
    binding: null,
    groups: [],
    ceilingByHand: false,
    registrationHash: null,
    deleteAfter: null,
    iconHash: null,
    ...by,
    issuedAt: now,
  }
  return { client, secret: secret?.text ?? null }
}
