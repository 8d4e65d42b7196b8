/** Decides on links between accounts and people at sign-in providers. */
import { type Account, asPerson, hasPassword, type Session } from "../../records/account.rules.ts"
import { type Change, type Decided, decided } from "../../records/change.rules.ts"
import { event } from "../../records/event.rules.ts"
import type { Factor } from "../../records/factor.rules.ts"
import type { Identity, IdentityKey } from "../../records/sign-in/identity.rules.ts"
import type { Hash, TokenId, UserId } from "../../kernel/ids.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"

/** The maximum number of links of one account. */
export const IDENTITIES_AT_MOST = 10

export type NewLink = {
  readonly identityHash: Hash
  readonly key: IdentityKey
  readonly provider: string
  readonly shownName: string | null
}

export type LinkFrom = {
  readonly userId: UserId
  readonly now: number
  readonly address: string | null
  readonly actorId: UserId | null
  /** The session in which the link began, and the sign-in at the provider. Null for the operator. */
  readonly by: { readonly sessionHash: Hash; readonly ticketId: TokenId } | null
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
  { userId, now, address, actorId, by }: LinkFrom,
): Decided<Result<Identity, Problem>> {
  const person = asPerson(account)
  if (person === null) return decided(err("Only the account of a person can be connected."))
  if (by !== null && (session?.userId !== userId || !person.enabled || spentTicket !== null))
    return decided(err("You signed out meanwhile, or this page was used before. Nothing was connected."))
  const spent: readonly Change[] =
    by === null ? [] : [{ change: "ticketSpent", ticketId: by.ticketId, at: now }]
  if (identity !== null)
    return identity.userId === userId
      ? decided(ok(identity), ...spent)
      : decided(err("Another account here is connected to it already."), ...spent)
  if ((identities ?? []).length >= IDENTITIES_AT_MOST)
    return decided(
      err(`An account has at most ${IDENTITIES_AT_MOST} connections. Remove one first.`),
      ...spent,
    )
  const start = { linkedAt: now, grantsAdministration: false }
  const added: Identity = { identityHash, ...key, userId, provider, shownName, ...start }
  const facts = { userId, address, actorId, detail: detailOf(added) }
  return decided(
    ok(added),
    ...spent,
    { change: "identityAdded", identity: added },
    { change: "eventRecorded", event: event("identity-linked", now, facts) },
  )
}

export type UnlinkRows = {
  readonly account: Account
  readonly identities: readonly Identity[]
  readonly factors: readonly Factor[]
  /** Whether passkeys work at the base URL. */
  readonly hasPasskeys: boolean
  /** The names of the providers that the configuration has. */
  readonly providers: ReadonlySet<string>
}

/** Removes a link of the account holder. The last way to sign in stays. */
export function decideUnlink(
  rows: UnlinkRows,
  identity: Identity,
  { now, address, actorId }: Pick<LinkFrom, "now" | "address" | "actorId">,
): Decided<Result<Identity, Problem>> {
  const others = rows.identities.filter(
    ({ identityHash, provider }) => identityHash !== identity.identityHash && rows.providers.has(provider),
  )
  if (others.length === 0 && !hasLocalWay(rows))
    return decided(
      err("This is the only way to sign in to your account. Set a password or add a passkey first."),
    )
  const { userId } = identity
  const facts = { userId, address, actorId, detail: detailOf(identity) }
  return decided(
    ok(identity),
    { change: "identityRemoved", identity },
    { change: "eventRecorded", event: event("identity-unlinked", now, facts) },
  )
}

/** Whether the account can sign in without any provider. */
export function hasLocalWay({ account, factors, hasPasskeys }: Omit<UnlinkRows, "identities" | "providers">) {
  return hasPassword(account) || (hasPasskeys && factors.some(({ kind }) => kind === "passkey"))
}

/** Names the provider and, for people who read the audit trail, the account there. */
export function detailOf({ provider, subject, shownName }: Identity): string {
  return `${provider}: ${shownName ?? subject}`
}
