/**
 * An access token of a service account. Each token has its own row. The processes of an app may need more tokens at
 * once than a credential keeps (`ACCESS_TOKENS_KEPT`).
 */
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
