/** A credential, app or account that has changed. Cached responses that depend on it may be stale. */
import type { Access } from "./access.ts"

export type Invalidation = { readonly of: "credential" | "client" | "account"; readonly id: string }

/** Returns the credential, app and account that a response depends on. */
export function subjectsOf({ tokenId, clientId, accountId }: Access): readonly Invalidation[] {
  return [
    { of: "credential", id: tokenId },
    { of: "client", id: clientId },
    { of: "account", id: accountId },
  ]
}

export function keyOf({ of, id }: Invalidation): string {
  return `${of} ${id}`
}
