/**
 * Connects an account by its confirmed e-mail address. It is the only way from an address to an account, and it needs an
 * operator who trusts the provider for the domain: UP-17.
 *
 * A provider or a domain in wrong hands opens these accounts. Administrators and accounts with a second factor
 * are therefore left out. So are accounts that another subject of the issuer has: an address passes from person to
 * person. An application gives its people any address, so the account itself must have confirmed it.
 */
import { type Account, asPerson } from "../../model/account.rules.ts"
import { type Decided, decided, eventRecorded } from "../../model/change.rules.ts"
import { needsSecondFactor } from "../../model/factor.rules.ts"
import { type AccountEmail, isConfirmed } from "../../model/mail/email.rules.ts"
import type { Identity } from "../../model/sign-in/identity.rules.ts"
import { givenChanges } from "../sign-in/given.rules.ts"
import { type Arrival, type ArrivalAnswer, type ArrivalRows, refusedDisabled } from "./arrival.rules.ts"
import { IDENTITIES_AT_MOST, type NewLink } from "./link.rules.ts"

type Rows = Omit<ArrivalRows, "session"> & { readonly identities: readonly Identity[] | null }

export type AddressAnswer =
  | ArrivalAnswer
  /** An account has the address, and is not connected by it. `why` is for the log. */
  | { readonly outcome: "address-held"; readonly why: string }

/** Connects the account that has the address, and signs it in. */
export function decideLinkByAddress(
  rows: Rows,
  { identityHash, key, provider, shownName }: NewLink,
  arrival: Arrival,
): Decided<AddressAnswer> {
  const { emailByKey, identity, spentTicket } = rows
  const account = asPerson(rows.account)
  if (spentTicket !== null || identity !== null || account === null || emailByKey?.userId !== account.userId)
    return decided({ outcome: "stale" })
  if (!account.enabled) return refusedDisabled(account, arrival)
  const why = whyNot(account, rows, emailByKey, key.issuer)
  if (why !== null) return decided({ outcome: "address-held", why })
  const { userId } = account
  const { ticketId, now, address } = arrival
  const start = { linkedAt: now, grantsAdministration: false }
  const added: Identity = { identityHash, ...key, userId, provider, shownName, ...start }
  const detail = `${provider} by e-mail address: ${emailByKey.address}`
  const { secret, changes } = arrival.session(account)
  return decided(
    { outcome: "signed-in", secret },
    { change: "ticketSpent", ticketId, at: now },
    { change: "identityAdded", identity: added },
    eventRecorded("identity-linked", now, { userId, address, detail }),
    ...givenChanges({ ...rows, account, identity: added }, arrival),
    ...changes,
  )
}

function whyNot(
  account: Account,
  { identities, factors }: Rows,
  email: AccountEmail,
  issuer: string,
): string | null {
  if (account.admin) return "it is an administrator's"
  if (!isConfirmed(email)) return "only an application says that the address is the account's"
  if (needsSecondFactor(factors ?? [])) return "it has a second factor"
  if ((identities ?? []).some((one) => one.issuer === issuer))
    return "it is linked to another subject of this issuer"
  return (identities ?? []).length >= IDENTITIES_AT_MOST ? "it has too many links" : null
}
