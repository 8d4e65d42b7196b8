/** Decides on links between accounts and people at sign-in providers. */
import { type Account, asPerson, type Session } from "../../model/account.rules.ts"
import { type Change, type Decided, decided, eventRecorded } from "../../model/change.rules.ts"
import { type Credential, familyOf } from "../../model/credential.rules.ts"
import type { Actor } from "../../model/event.rules.ts"
import type { Identity, IdentityKey } from "../../model/sign-in/identity.rules.ts"
import type { Hash, TokenId, UserId } from "../../kernel/ids.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Membership } from "../../model/permissions/group.rules.ts"
import { isIssuerOf, type SignInProviders } from "../../model/sign-in/provider.rules.ts"
import { administrationChanges } from "../sign-in/given-administration.rules.ts"
import { endedMarks } from "../sign-in/given-groups.rules.ts"
import { hasWayIn, type Offered, type WaysIn } from "../ways-in.rules.ts"

export const IDENTITIES_AT_MOST = 10

/** Why an account is not connected, for the command line. Pages have these texts in the language of the person. */
export const linkProblems = {
  "not-a-person": "Only the account of a person can be connected.",
  "signed-out": "You signed out meanwhile, or this page was used before. Nothing was connected.",
  "of-another": "Another account here is connected to it already.",
  "too-many": `An account has at most ${IDENTITIES_AT_MOST} connections. Remove one first.`,
} as const

export type LinkProblem = keyof typeof linkProblems

export type NewLink = {
  readonly identityHash: Hash
  readonly key: IdentityKey
  readonly provider: string
  readonly shownName: string | null
}

export type LinkInput = Actor & {
  readonly userId: UserId
  readonly now: number
  /** The session in which the link began, and the sign-in at the provider. Null for the operator. */
  readonly session: { readonly sessionHash: Hash; readonly ticketId: TokenId } | null
}

type LinkRows = {
  readonly account: Account | null
  readonly identity: Identity | null
  readonly identities: readonly Identity[] | null
  readonly session: Session | null
  readonly spentTicket: unknown
}

/** Refuses a subject that is linked to another account. The same link again changes nothing. */
export function decideLink(
  { account, identity, identities, session, spentTicket }: LinkRows,
  { identityHash, key, provider, shownName }: NewLink,
  { userId, now, address, actorId, session: linking }: LinkInput,
): Decided<Result<Identity, LinkProblem>> {
  const person = asPerson(account)
  if (person === null) return decided(err("not-a-person"))
  if (linking !== null && (session?.userId !== userId || !person.enabled || spentTicket !== null))
    return decided(err("signed-out"))
  const spent: readonly Change[] =
    linking === null ? [] : [{ change: "ticketSpent", ticketId: linking.ticketId, at: now }]
  if (identity !== null)
    return identity.userId === userId ? decided(ok(identity), ...spent) : decided(err("of-another"), ...spent)
  if ((identities ?? []).length >= IDENTITIES_AT_MOST) return decided(err("too-many"), ...spent)
  const start = { linkedAt: now, grantsAdministration: false }
  const added: Identity = { identityHash, ...key, userId, provider, shownName, ...start }
  const facts = { userId, address, actorId, detail: detailOf(added) }
  return decided(
    ok(added),
    ...spent,
    { change: "identityAdded", identity: added },
    eventRecorded("identity-linked", now, facts),
  )
}

type Unlinked = {
  readonly account: Account
  /** Another administrator who can sign in here, or null. */
  readonly otherAdministrator: Account | null
  readonly memberships: readonly Membership[] | null
  /** What organizations gave the account. */
  readonly organizationCredentials: readonly Credential[] | null
  /** Those of the configuration. */
  readonly providers: SignInProviders
}

/** Removes a link of the account holder. The last way to sign in stays. */
export function decideUnlink(
  rows: WaysIn & Unlinked,
  offered: Offered,
  identity: Identity,
  { now, address, actorId }: Actor & { readonly now: number },
): Decided<Result<Identity, "only-way-in">> {
  const identities = rows.identities.filter(({ identityHash }) => identityHash !== identity.identityHash)
  if (!hasWayIn({ ...rows, identities }, offered)) return decided(err("only-way-in"))
  return decided(ok(identity), ...removals(rows, [identity], { now, address, actorId }))
}

/**
 * Removes the links of an account to this subject: of the issuer, and of earlier issuers of the provider. Signs its
 * browsers out, because some may have come in by these links.
 */
export function decideUnlinkOf(
  rows: Unlinked & { readonly identities: readonly Identity[] },
  { issuer, subject, provider }: IdentityKey & Pick<Identity, "provider">,
  from: Actor & { readonly now: number },
): Decided<boolean> {
  const removed = rows.identities.filter(
    (one) => one.subject === subject && (one.issuer === issuer || one.provider === provider),
  )
  if (removed.length === 0) return decided(false)
  const { userId } = rows.account
  return decided(true, ...removals(rows, removed, from), {
    change: "sessionsEnded",
    userId,
    except: null,
    at: from.now,
  })
}

/** The marks of a provider end with a link to it. With another link there, the next sign-in gives them again. */
function removals(
  rows: Unlinked,
  removed: readonly Identity[],
  from: Actor & { readonly now: number },
): readonly Change[] {
  const givers = removed.flatMap(({ provider, issuer }) => [
    provider,
    ...[...rows.providers.values()].filter((one) => isIssuerOf(one, issuer)).map(({ name }) => name),
  ])
  const isOver = ({ provider }: Membership) => provider !== null && givers.includes(provider)
  const [{ provider: rule } = { provider: "" }] = removed
  const given = (rows.organizationCredentials ?? []).filter(({ consent }) =>
    givers.includes(consent.organization ?? ""),
  )
  return [
    ...removed.flatMap((identity) => removal(rows, identity, from)),
    ...given.flatMap((credential) => unlinkedCredential(credential, from)),
    ...endedMarks(rows, isOver, from, rule),
  ]
}

/** The word of an organization counts only for an account that is linked to it: ORG-8. */
function unlinkedCredential(
  credential: Credential,
  { now, address, actorId }: Actor & { readonly now: number },
): readonly Change[] {
  const { userId, clientId, tokenId } = credential.consent
  const because = "link-removed"
  const life = { state: "revoked", family: familyOf(credential), revokedAt: now, because } as const
  const facts = { userId, clientId, tokenId, address, actorId, detail: because }
  return [
    { change: "credentialChanged", credential: { ...credential, life } },
    eventRecorded("credential-revoked", now, facts),
  ]
}

/** Takes back what the rule of the provider gave. Otherwise a link that is made again would keep it for ever. */
function removal(
  rows: Unlinked,
  identity: Identity,
  { now, address, actorId }: Actor & { readonly now: number },
): readonly Change[] {
  const facts = { userId: identity.userId, address, actorId, detail: detailOf(identity) }
  const noLonger = { provider: identity.provider, isAdministrator: false, now, address }
  return [
    ...administrationChanges({ ...rows, identity }, noLonger),
    { change: "identityRemoved", identity },
    eventRecorded("identity-unlinked", now, facts),
  ]
}

/** Names the provider and, for people who read the audit trail, the account there. */
function detailOf({ provider, subject, shownName }: Identity): string {
  return `${provider}: ${shownName ?? subject}`
}
