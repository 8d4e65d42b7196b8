/** A registered app. Interface: table "Client"; RFC 7591 §2. */
import type { ClientId, Hash, Permission, TokenId, UserId } from "../../kernel/ids.ts"
import type { Switches } from "./app-switches.rules.ts"
import type { OpenidMembers } from "./openid-members.rules.ts"
import type { Workload } from "./workload.rules.ts"

/** A public app has no secret and no keys, so PKCE protects it. Only the document of an app can change its type. */
export type ClientType = "public" | "confidential"

/** The kind of actor who registered the app. The consent page shows it. */
export type RegisteredBy = "administrator" | "user" | "itself" | "document"

/** The algorithms that an assertion may be signed with. RFC 7518 §3.1, RFC 8037 §3.1. */
export const SIGNING_ALGORITHMS = ["ES256", "EdDSA", "PS256", "RS256"] as const
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number]

/** The keys with which a client authenticates: RFC 7523 §2.2. Exactly one of `jwks` and `jwksUri` is set. */
export type ClientKeys = {
  /** The platform whose tokens authenticate the client. The keys are then the platform's. */
  readonly workload: Workload | null
  /** The public keys (RFC 7517), in the form that `writeKeySet` produces. */
  readonly jwks: string | null
  /** The URL at which the client publishes its public keys, or the metadata of the platform's issuer. */
  readonly jwksUri: string | null
  /** The only algorithm that the client may use. The value is null if it may use every algorithm of its keys. */
  readonly algorithm: SigningAlgorithm | null
}

/** The result of the last fetch from a client's `jwks_uri`. */
export type FetchedKeys = {
  readonly clientId: ClientId
  /** The URL that was fetched. The copy is used only while the client still has this URL. */
  readonly jwksUri: string
  readonly triedAt: number
  /** Why the last fetch failed. The value is null after a success. */
  readonly problem: string | null
  /** The last good copy. The value is null before the first success. */
  readonly copy: { readonly jwks: string; readonly fetchedAt: number } | null
}

/** An assertion that has authenticated a request. The row prevents its use for another request. */
export type SpentAssertion = {
  /** The digest of the client, the endpoint and the `jti`. */
  readonly assertionHash: Hash
  readonly bodyHash: Hash
  /** When the assertion has expired on every clock. The row is deleted later. */
  readonly deleteAfter: number
}

/** A square PNG that the service rendered, with its digest. */
export type Icon = { readonly png: Uint8Array; readonly hash: Hash }

/** The service account that an app is bound to, and the credential of the access tokens. */
export type Binding = { readonly userId: UserId; readonly tokenId: TokenId }

export type Client = Switches &
  OpenidMembers & {
    readonly clientId: ClientId
    readonly type: ClientType
    /** A confidential app has a secret or keys. A public app has neither. */
    readonly secretHash: Hash | null
    readonly keys: ClientKeys | null
    readonly name: string
    /** Redirect URIs are stored as they were registered and compared byte by byte. */
    readonly redirectUris: readonly string[]
    /** The registered permission names, without what they imply. */
    readonly ceiling: readonly Permission[]
    /** If the app is for groups, their names, sorted. Only accounts in one of them connect it. */
    readonly groups: readonly string[]
    /** Whether the ceiling of a self-registered app was changed by hand. It then no longer follows the setting. REG-4. */
    readonly ceilingByHand: boolean
    readonly enabled: boolean
    /** Whether the owner disabled the app. The owner can then enable it again. Otherwise only an administrator can. */
    readonly disabledByOwner: boolean
    readonly registeredBy: RegisteredBy
    readonly ownerId: UserId | null
    /**
     * The service account for which the app gets access tokens by `client_credentials`. Only confidential apps have one.
     */
    readonly binding: Binding | null
    readonly issuedAt: number
    /** The digest of the icon's PNG. The value is null without an icon. Only the change `iconSet` sets it. */
    readonly iconHash: Hash | null
    /**
     * The digest of a public app's self-registration. A repeated registration finds the app by this digest. The first
     * consent removes the digest.
     */
    readonly registrationHash: Hash | null
    /** When the client expires. The value is null, except for self-registered apps and for clients with a document. */
    readonly deleteAfter: number | null
  }

/** Whether pages show the app's icon in place of a monogram. ICON-2. */
export function hasServedIcon(client: Client): client is Client & { readonly iconHash: Hash } {
  return client.enabled && client.verified && client.iconHash !== null
}
