/** What follows an application at each arrival of a person: the shown name and the confirmed address. LOGIN-6 */
import { type Change, eventRecorded } from "../../model/change.rules.ts"
import type { EmailAddress } from "../../model/mail/email-address.rules.ts"
import type { RuledRows } from "../sessions/sign-in-changes.rules.ts"

/** What the application says. Null leaves the account as it is. */
export type Followed = { readonly shownName: string | null; readonly email: EmailAddress | null }

type At = { readonly now: number; readonly address: string | null; readonly provider: string }

/** The address of another account is left out. Links to the former address end. */
export function followedChanges(
  {
    account: { userId },
    identity,
    email: current,
    emailByKey: holder,
  }: Pick<RuledRows, "account" | "identity" | "email" | "emailByKey">,
  { shownName, email }: Followed,
  { now, address: networkAddress, provider }: At,
): readonly Change[] {
  const named: readonly Change[] =
    shownName === null || shownName === identity.shownName
      ? []
      : [{ change: "identityChanged", identity: { ...identity, shownName } }]
  const isHeld = holder !== null && holder.userId !== userId
  if (email === null || isHeld || email.address === current?.address) return named
  const facts = { userId, address: networkAddress, detail: `through ${provider}` }
  return [
    ...named,
    { change: "linksEnded", userId, purpose: "confirm-address", since: 0 },
    { change: "linksEnded", userId, purpose: "recover", since: 0 },
    { change: "emailSet", email: { ...email, userId, verifiedAt: 0 } },
    eventRecorded("email-changed", now, facts),
  ]
}
