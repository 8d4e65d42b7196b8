/** Stored facts about the keys of clients: fetched key sets and used assertions. RFC 7523 §3. */
import type { ClientId, Hash } from "../kernel/ids.ts"

/** The keys that a client publishes at its `jwks_uri`, as they were fetched last. */
export type FetchedKeys = {
  readonly clientId: ClientId
  /** The fetched URL. The copy is used only while the client still has this URL. */
  readonly jwksUri: string
  /** The time of the last fetch. */
  readonly triedAt: number
  /** Why the last fetch failed; null after a success. */
  readonly problem: string | null
  /** The last good copy; null before the first. */
  readonly copy: { readonly jwks: string; readonly fetchedAt: number } | null
}

/** An assertion that authenticated a request. It is stored so that it does not authenticate another one. */
export type SpentAssertion = {
  /** Digest of the client, the endpoint and the `jti`. */
  readonly assertionHash: Hash
  /** Digest of the body of the request. */
  readonly bodyHash: Hash
  /** When the row is no longer needed, because the assertion has expired. */
  readonly deleteAfter: number
}
