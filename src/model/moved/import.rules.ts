/** An import from another service, and the refresh tokens that came with it. MOVE-5, MOVE-7. */
import type { ClientId, Hash, Permission, TokenId, UserId } from "../../kernel/ids.ts"

export type Import = {
  readonly importId: number
  readonly source: string
  /** No staged account and no token of an import is usable before it has finished. */
  readonly state: "staging" | "abandoned" | "finished"
  readonly begunAt: number
  /** The last time that the importing process was known to run. */
  readonly seenAt: number
  /** The key that checks the MAC of the tokens of this import, encrypted with a key of the service. */
  readonly sealedSecret: string | null
}

/** A live refresh token of another service. It is exchanged once. */
export type ImportedToken = {
  /** The digest of the token. If tokens of the source have a MAC, the digest of the MAC. */
  readonly hash: Hash
  readonly importId: number
  /** The credential that the exchange creates. */
  readonly tokenId: TokenId
  readonly clientId: ClientId
  readonly userId: UserId
  readonly scope: readonly Permission[]
  readonly endsAt: number
  readonly usedAt: number | null
}

/** What stands in the way of imported accounts and tokens. */
export type Taken = {
  readonly accounts: readonly {
    readonly userId: string
    readonly usernameKey: string
    /** Whether a finished import added the account. */
    readonly isImported: boolean
  }[]
  /** The ids of accounts that were removed. */
  readonly removed: readonly string[]
  readonly tokens: readonly string[]
}

/** An import that was not seen for this long has ended without finishing. */
export const IMPORT_SILENT_SECONDS = 15

/**
 * Whether the rows of an import that has not finished may be deleted, by the clock with which the import is written.
 * Housekeeping uses the monotonic clock instead (`silenceWatch`).
 */
export function isLeftOver({ state, seenAt }: Import, now: number): boolean {
  return state === "abandoned" || (state === "staging" && Math.abs(now - seenAt) > IMPORT_SILENT_SECONDS)
}
