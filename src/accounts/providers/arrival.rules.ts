/** Decides what happens when a person comes back from a sign-in provider. */
import {
  type Account,
  asPerson,
  newPerson,
  NO_PASSWORD,
  type Person,
  type Session,
} from "../../model/account.rules.ts"
import { type Change, type Decided, decided, eventRecorded } from "../../model/change.rules.ts"
import { type Factor, needsSecondFactor } from "../../model/factor.rules.ts"
import type { Identity } from "../../model/sign-in/identity.rules.ts"
import type { Username } from "../../model/username.rules.ts"
import type { TokenId, UserId } from "../../kernel/ids.ts"
import type { RuledRows } from "../sessions/sign-in-changes.rules.ts"
import { addedAccount } from "../account-change.rules.ts"
import { givenChanges, type ThroughProvider, type UnderRules } from "../sign-in/given.rules.ts"

/** A sign-in through a provider that has passed all checks of the protocol. */
export type Arrival = UnderRules & {
  readonly provider: string
  readonly ticketId: TokenId
  readonly now: number
  readonly address: string
  /** Whether the configuration maps this sign-in to a second factor. */
  readonly isSecondFactor: boolean
  /** The changes that sign the browser in, and the secret of its session. */
  readonly session: (account: Account) => SignedInBy
  /** The same for a session of the browser that this sign-in renews. Null if it begins another. */
  readonly renewed: (account: Account, session: Session | null) => SignedInBy | null
}

type SignedInBy = { readonly secret: string; readonly changes: readonly Change[] }

export type ArrivalAnswer =
  | { readonly outcome: "signed-in"; readonly secret: string }
  /** The account has a second factor, and the provider has not proven one. */
  | { readonly outcome: "second-step"; readonly account: Person; readonly through: ThroughProvider }
  | { readonly outcome: "disabled" }
  /** The link or the account was removed meanwhile, or the sign-in was used before. */
  | { readonly outcome: "stale" }
  /** There is an account of that name. */
  | { readonly outcome: "taken" }

export type ArrivalRows = Omit<RuledRows, "account" | "identity"> & {
  readonly account: Account | null
  readonly identity: Identity | null
  readonly factors: readonly Factor[] | null
  readonly spentTicket: unknown
  /** The session that the browser had before. */
  readonly session: Session | null
}

/** Signs in the account that is linked to this person. */
export function decideArrival(
  { account: found, identity, factors, spentTicket, session, ...rows }: ArrivalRows,
  arrival: Arrival,
): Decided<ArrivalAnswer> {
  const person = asPerson(found)
  if (spentTicket !== null || identity === null || person === null || identity.userId !== person.userId)
    return decided({ outcome: "stale" })
  if (!person.enabled) return refusedDisabled(person, arrival)
  const spent: Change = { change: "ticketSpent", ticketId: arrival.ticketId, at: arrival.now }
  const renewed = arrival.renewed(person, session)
  if (renewed === null && needsSecondFactor(factors ?? []) && !arrival.isSecondFactor) {
    const { provider, isAdministrator, groups, followed } = arrival
    const { identityHash } = identity
    const through = { provider, identityHash, isAdministrator, groups, followed }
    return decided({ outcome: "second-step", account: person, through }, spent)
  }
  const given = givenChanges({ ...rows, account: person, identity }, arrival)
  const { secret, changes } = renewed ?? arrival.session(person)
  return decided({ outcome: "signed-in", secret }, spent, ...given, ...changes)
}

export function refusedDisabled(
  { userId }: Account,
  { ticketId, now, address, provider }: Arrival,
): Decided<ArrivalAnswer> {
  const facts = { userId, address, detail: `${provider}: the account is disabled` }
  return decided(
    { outcome: "disabled" },
    { change: "ticketSpent", ticketId, at: now },
    eventRecorded("sign-in-refused", now, facts),
  )
}

export type Newcomer = {
  readonly userId: UserId
  readonly name: Username
  readonly identity: Omit<Identity, "userId" | "linkedAt" | "grantsAdministration">
}

type NewcomerRows = Pick<ArrivalRows, "emailByKey" | "identity" | "spentTicket"> & {
  readonly accountByName: Account | null
}

/** Creates an account for a person whom the provider's rules admit. An existing account is never used. */
export function decideNewcomer(
  { accountByName, emailByKey, identity, spentTicket }: NewcomerRows,
  { userId, name, identity: key }: Newcomer,
  arrival: Arrival,
): Decided<ArrivalAnswer> {
  if (spentTicket !== null || identity !== null) return decided({ outcome: "stale" })
  if (accountByName !== null) return decided({ outcome: "taken" })
  const { now, address, provider, ticketId } = arrival
  const admin = arrival.isAdministrator === true
  const account = newPerson(name, { userId, passwordHash: NO_PASSWORD, admin, createdAt: now })
  const added: Identity = { ...key, userId, linkedAt: now, grantsAdministration: admin }
  const { secret, changes } = arrival.session(account)
  return decided(
    { outcome: "signed-in", secret },
    { change: "ticketSpent", ticketId, at: now },
    ...addedAccount(account, { address }, now, `through ${provider}`, `by the rule of ${provider}`),
    { change: "identityAdded", identity: added },
    ...givenChanges(
      { account, identity: added, memberships: [], otherAdministrator: null, email: null, emailByKey },
      arrival,
    ),
    ...changes,
  )
}
