/** A changed credential, app or account. Cached answers that depend on it may be stale. */
import type { Access } from "./access.ts"

export type Invalidation = { readonly of: "credential" | "client" | "account"; readonly id: string }

/** The credential, app and account that an answer depends on. */
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
