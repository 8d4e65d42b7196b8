/** Makes the account of a person who accepts an invitation with a sign-in provider. */
import { decideAccepted } from "../invitations/invitation.rules.ts"
import { acceptanceLoad, openInvitation } from "../invitations/accept.ts"
import { newPerson, NO_PASSWORD } from "../../model/account.rules.ts"
import { type Decided, decided } from "../../model/change.rules.ts"
import type { Identity } from "../../model/sign-in/identity.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import { givenChanges } from "../sign-in/given.rules.ts"
import type { Arrival, ArrivalAnswer, Newcomer } from "./arrival.rules.ts"

/** Creates the account. Refuses: `taken`, or `stale` if the invitation or the sign-in has ended. */
export async function addInvited(
  services: Pick<Services, "store" | "clock">,
  link: string,
  { userId, name, identity: key }: Newcomer,
  arrival: Arrival,
): Promise<ArrivalAnswer> {
  const invitation = await openInvitation(services, link)
  if (invitation === null) return { outcome: "stale" }
  const { now, ticketId, provider, address } = arrival
  const { admin } = invitation
  const account = newPerson(name, { userId, passwordHash: NO_PASSWORD, admin, createdAt: now })
  const identity: Identity = { ...key, userId, linkedAt: now, grantsAdministration: false }
  const session = arrival.session(account)
  const load = {
    ...acceptanceLoad(invitation, name),
    identity: identity.identityHash,
    spentTicket: ticketId,
  }
  return services.store.change(load, (found): Decided<ArrivalAnswer> => {
    if (found.spentTicket !== null || found.identity !== null) return decided({ outcome: "stale" })
    const groups = found.invitation?.groups ?? []
    const memberships = groups.map((group) => ({ group, provider: null }))
    const none = { otherAdministrator: null, email: null, emailByKey: null }
    const rows = { account: { ...account, groups }, memberships, identity, ...none }
    const { answer, changes } = decideAccepted(found, {
      account,
      // The invitation says the address. A later arrival follows the application.
      wayIn: [{ change: "identityAdded", identity }],
      by: provider,
      address,
      signIn: [...givenChanges(rows, { ...arrival, followed: undefined }), ...session.changes],
    })
    if (answer !== "done") return decided({ outcome: answer === "taken" ? "taken" : "stale" })
    const spent = { change: "ticketSpent", ticketId, at: now } as const
    return decided({ outcome: "signed-in", secret: session.secret }, spent, ...changes)
  })
}
