/** A registered app. Interface: table "Client"; RFC 7591 §2. */
import type { ClientId, Hash, Permission, UserId } from "../kernel/ids.ts"

/** Fixed for life: a public app has no secret and is protected by PKCE alone. */
export type ClientType = "public" | "confidential"

/** Who registered the app; the consent page says it. */
export type RegisteredBy = "administrator" | "user" | "itself"

/** A square PNG that the service drew itself, with its digest. */
export type Icon = { readonly png: Uint8Array; readonly hash: Hash }

export type Client = {
  readonly clientId: ClientId
  readonly type: ClientType
  /** Null exactly for a public app. */
  readonly secretHash: Hash | null
  readonly name: string
  /** Raw strings, compared literally. */
  readonly redirectUris: readonly string[]
  /** The registered ceiling as it was named: not closed under implication. */
  readonly ceiling: readonly Permission[]
  readonly verified: boolean
  /** Whether the app's owner allows the step-up ceremony. */
  readonly stepUp: boolean
  /** Whether the app may introspect. Confidential apps only. */
  readonly resourceServer: boolean
  readonly enabled: boolean
  /** Disabled by its owner, who may enable it again. The owner cannot enable what an administrator disabled. */
  readonly disabledByOwner: boolean
  readonly registeredBy: RegisteredBy
  readonly ownerId: UserId | null
  readonly issuedAt: number
  /** Digest of the icon's PNG; null without an icon. Written with the icon (`iconSet`), never with the client. */
  readonly iconHash: Hash | null
  /** Digest of a self-registration without a consent yet. The same registration again finds this client. */
  readonly registrationHash: Hash | null
  /** When it is deleted; null unless it registered itself. */
  readonly deleteAfter: number | null
}

/** Whether pages show the app's icon, and not a monogram. ICON-2. */
export function hasServedIcon(client: Client): client is Client & { readonly iconHash: Hash } {
  return client.enabled && client.verified && client.iconHash !== null
}
