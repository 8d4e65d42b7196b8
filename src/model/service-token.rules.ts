/** It has a row of its own: an app's processes may need more tokens at once than `ACCESS_TOKENS_KEPT`. */
import type { Hash, Permission, TokenId } from "../kernel/ids.ts"

export type ServiceToken = {
  readonly hash: Hash
  readonly tokenId: TokenId
  readonly issuedAt: number
  readonly expiresAt: number
  /** The requested permissions with everything that they imply. */
  readonly scope: readonly Permission[]
  /** The audience that introspection reports: RFC 8707. */
  readonly resources: readonly string[]
}
