/** A new app as it is stored, whichever way it was registered. */
import type { ClientId, Hash, UserId } from "../kernel/ids.ts"
import type { Change } from "../records/change.rules.ts"
import type { Client, Icon, RegisteredBy } from "../records/client.rules.ts"
import type { Registration } from "../records/registration.rules.ts"
import { newId } from "../kernel/random.ts"
import { newClientSecret } from "../oauth/credential/token.ts"

export type Registrar = {
  readonly registeredBy: RegisteredBy
  readonly ownerId: UserId | null
  readonly registrationHash?: Hash | null
  readonly deleteAfter?: number | null
  /** Of the icon that is stored with it. */
  readonly iconHash?: Hash | null
}

export type NewClient = { readonly client: Client; readonly secret: string | null }

/** The writes that store a new app and its icon. */
export function addedClient(client: Client, icon: Icon | null = null): readonly Change[] {
  const added = { change: "clientAdded", client } as const
  return icon === null ? [added] : [added, { change: "iconSet", clientId: client.clientId, icon }]
}

/** With a new id and, for a confidential app, a new secret. Only the digest of the secret is stored. */
export function newClient(registration: Registration, by: Registrar, now: number): NewClient {
  const secret = registration.type === "confidential" ? newClientSecret() : null
  const client: Client = {
    ...registration,
    clientId: newId<ClientId>(now),
    secretHash: secret?.hash ?? null,
    enabled: true,
    disabledByOwner: false,
    registrationHash: null,
    deleteAfter: null,
    iconHash: null,
    ...by,
    issuedAt: now,
  }
  return { client, secret: secret?.text ?? null }
}
