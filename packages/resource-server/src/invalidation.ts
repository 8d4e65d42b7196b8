/** A credential, an app or an account that changed, so that cached answers about it may be stale. */
import type { Access } from "./access.ts"

export type Invalidation = { readonly of: "credential" | "client" | "account"; readonly id: string }

/** Everything that an answer depends on. */
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
