/**
 * An access token of a service account. Each has its own row, because the processes of one app may need more tokens at
 * once than the `ACCESS_TOKENS_KEPT` of a credential.
 */
import type { Hash, Permission, TokenId } from "../kernel/ids.ts"

export type ServiceToken = {
  readonly hash: Hash
  /** The credential of the binding. */
  readonly tokenId: TokenId
  readonly issuedAt: number
  readonly expiresAt: number
  /** The requested permissions with everything they imply. */
  readonly scope: readonly Permission[]
  /** RFC 8707; the audience that introspection reports. */
  readonly resources: readonly string[]
}
