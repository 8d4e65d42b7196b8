/**
 * Says which cached checks become stale by each change. Resource servers are then notified. A wider reach or an
 * elevation needs no notification, because resource servers do not cache refusals.
 */
import type { ClientId, TokenId, UserId } from "../kernel/ids.ts"
import type { Change } from "./change.rules.ts"
import { areTokensEnded } from "./credential.rules.ts"

export type Invalidation =
  | { readonly of: "credential"; readonly key: TokenId }
  | { readonly of: "client"; readonly key: ClientId }
  | { readonly of: "account"; readonly key: UserId }

/** Every cached check is stale. The log of invalidations is emptied, so each resource server has missed some of it. */
export const EVERYTHING = "everything"

type Of<K extends Change["change"]> = Extract<Change, { change: K }>

type Stale = Invalidation | typeof EVERYTHING | null

const none = (): null => null

/** The checks that each kind of change makes stale. The type requires an entry for every kind of change. */
const invalidations: { readonly [K in Change["change"]]: (change: Of<K>) => Stale } = {
  accountAdded: none,
  accountChanged: ({ account }) => ({ of: "account", key: account.userId }),
  accountRemoved: ({ userId }) => ({ of: "account", key: userId }),
  groupSet: none,
  // The store adds one invalidation for each member.
  groupRemoved: none,
  membershipsSet: ({ userId }) => ({ of: "account", key: userId }),
  importSet: none,
  importRemoved: none,
  accountStaged: none,
  stagedRemoved: none,
  importedTokenAdded: none,
  importedTokenUsed: none,
  clientAdded: none,
  clientChanged: ({ client }) => ({ of: "client", key: client.clientId }),
  clientRemoved: ({ clientId }) => ({ of: "client", key: clientId }),
  keysFetched: none,
  assertionSpent: none,
  iconSet: none,
  documentSet: none,
  credentialAdded: none,
  credentialChanged: ({ credential }) => {
    const { consent, life } = credential
    const isOver = life.state === "revoked" || life.state === "ended"
    const hasEnded = isOver || (life.state === "active" && areTokensEnded(credential, life.family.rotatedAt))
    return hasEnded ? { of: "credential", key: consent.tokenId } : null
  },
  credentialsRevoked: ({ of }) =>
    "userId" in of ? { of: "account", key: of.userId } : { of: "client", key: of.clientId },
  serviceTokenAdded: none,
  serviceTokenEnded: ({ token, because }) =>
    because === "revoked" ? { of: "credential", key: token.tokenId } : null,
  deviceGrantAdded: none,
  deviceGrantChanged: none,
  approvalsDenied: none,
  factorAdded: none,
  factorChanged: none,
  factorRemoved: none,
  factorsReset: none,
  // Introspection says how an application names the person of the account.
  identityAdded: ({ identity }) => ({ of: "account", key: identity.userId }),
  identityChanged: none,
  identityRemoved: ({ identity }) => ({ of: "account", key: identity.userId }),
  codeTriesSet: none,
  sessionAdded: none,
  sessionSeen: none,
  sessionProven: none,
  sessionVouched: none,
  // The store adds one invalidation for each credential that ends with the session.
  sessionEnded: none,
  sessionsEnded: none,
  sessionCredentialAdded: none,
  rememberedAdded: none,
  rememberedEnded: none,
  organizationBlocked: none,
  organizationAllowed: none,
  browserKnown: none,
  emailSet: none,
  emailRemoved: none,
  linkAdded: none,
  linkEnded: none,
  linksEnded: none,
  invitationAdded: none,
  invitationEnded: none,
  invitationsEnded: none,
  mailQueued: none,
  mailSettled: none,
  ticketSpent: none,
  settingSet: none,
  settingUnset: none,
  logoSet: none,
  appliedSet: none,
  appliedRemoved: none,
  metaSet: none,
  metaRemoved: none,
  sealedAgain: none,
  // A cached check does not say which key signed its token.
  signingKeySet: ({ key }) => (key.state === "withdrawn" ? EVERYTHING : null),
  signingKeyRemoved: none,
  setupLinkSet: none,
  eventRecorded: none,
  eventCounted: none,
  tallied: none,
}

export function invalidationOf<K extends Change["change"]>(change: Of<K>): Stale {
  return invalidations[change.change](change)
}
