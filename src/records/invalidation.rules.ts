/**
 * Whose cached checks a change makes stale. Resource servers that cache answers are notified. A wider reach or an elevation
 * needs no notification, because refusals are not cached.
 */
import type { ClientId, TokenId, UserId } from "../kernel/ids.ts"
import type { Change } from "./change.rules.ts"

export type Invalidation =
  | { readonly of: "credential"; readonly key: TokenId }
  | { readonly of: "client"; readonly key: ClientId }
  | { readonly of: "account"; readonly key: UserId }

type Of<K extends Change["change"]> = Extract<Change, { change: K }>

const none = (): null => null

/** One row a kind of change: leaving one out does not compile. */
const invalidations: { readonly [K in Change["change"]]: (change: Of<K>) => Invalidation | null } = {
  accountAdded: none,
  accountChanged: ({ account }) => ({ of: "account", key: account.userId }),
  accountRemoved: ({ userId }) => ({ of: "account", key: userId }),
  clientAdded: none,
  clientChanged: ({ client }) => ({ of: "client", key: client.clientId }),
  clientRemoved: ({ clientId }) => ({ of: "client", key: clientId }),
  iconSet: none,
  credentialAdded: none,
  credentialChanged: ({ credential: { consent, life } }) =>
    life.state === "revoked" || life.state === "ended" ? { of: "credential", key: consent.tokenId } : null,
  credentialsRevoked: ({ of }) =>
    "userId" in of ? { of: "account", key: of.userId } : { of: "client", key: of.clientId },
  deviceGrantAdded: none,
  deviceGrantChanged: none,
  approvalsDenied: none,
  factorAdded: none,
  factorChanged: none,
  factorRemoved: none,
  factorsReset: none,
  codeTriesSet: none,
  sessionAdded: none,
  sessionSeen: none,
  sessionProven: none,
  sessionEnded: none,
  sessionsEnded: none,
  browserKnown: none,
  ticketSpent: none,
  settingSet: none,
  settingUnset: none,
  metaSet: none,
  setupLinkSet: none,
  eventRecorded: none,
  tallied: none,
}

export function invalidationOf<K extends Change["change"]>(change: Of<K>): Invalidation | null {
  return invalidations[change.change](change)
}
