/** The stored facts about the keys of clients: fetched key sets and used assertions. RFC 7523 §3. */
import type { ClientId, Hash } from "../kernel/ids.ts"

/** The result of the last fetch from a client's `jwks_uri`. */
export type FetchedKeys = {
  readonly clientId: ClientId
  /** The URL that was fetched. The copy is used only while the client still has this URL. */
  readonly jwksUri: string
  /** The time of the last fetch. */
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
  /** The digest of the request body. */
  readonly bodyHash: Hash
  /** When the assertion has expired on every clock. The row is deleted later. */
  readonly deleteAfter: number
}
