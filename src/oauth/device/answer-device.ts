/** Stores the account holder's answer to a device: interface DG-3…DG-6, DG-8. */
import type { Permission } from "../../kernel/ids.ts"
import type { Session } from "../../model/account.rules.ts"
import { decideDeviceSubmission, type DeviceOutcome } from "./device-answer.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import { type DocumentProblem, openPageProblem } from "../clients/document-policy.rules.ts"
import { documentPolicyOf } from "../clients/resolve-document.ts"
import { isAuthorized, leftByGroups, ticketProblem } from "../authorize/consent.rules.ts"
import type { DeviceTicket } from "../authorize/ticket.ts"

export type NotDecided =
  | Exclude<DeviceOutcome, "approved" | "denied" | "confirm" | "too-late">
  | "not-yours"
  | "stale"
  | DocumentProblem

type DeviceAnswered =
  | { readonly outcome: "approved" | "denied" }
  /** `granted` is what the groups leave of the first page. */
  | { readonly outcome: "confirm"; readonly granted: readonly Permission[] }
  | { readonly outcome: "not-decided"; readonly because: NotDecided }

const notDecided = (because: NotDecided): DeviceAnswered => ({ outcome: "not-decided", because })

/** Decides on a submitted device form. `decisions` contains the values of all fields named `decision`. */
export async function answerDevice(
  services: Pick<Services, "store" | "clock" | "catalog" | "settings" | "pollIntervals">,
  ticket: DeviceTicket,
  decisions: readonly string[],
  session: Session,
  address: string,
): Promise<DeviceAnswered> {
  const { store, clock, catalog, settings, pollIntervals } = services
  const now = clock.now()
  const problem = ticketProblem(ticket, session, now)
  if (problem !== null) return notDecided(problem)

  const { id, grantId, userId, granted, isConfirmation } = ticket
  const authorizes = isAuthorized(decisions)
  const answer = { authorizes, userId, granted, isConfirmed: isConfirmation, now, address }
  // The client_id of a grant never changes, so this read may come before the change.
  const { deviceGrant: shown } = await store.read({ deviceGrant: grantId })
  const clientId = shown?.request.clientId ?? null
  const policy = clientId && (await documentPolicyOf({ settings }, clientId))
  const { outcome, stillGiven } = await store.change(
    {
      spentTicket: id,
      deviceGrant: grantId,
      client: clientId,
      document: policy && clientId,
      session: session.sessionHash,
      account: userId,
    },
    (found) => {
      const documentProblem =
        clientId && policy && openPageProblem(clientId, policy, found.document, ticket.shownChange ?? null)
      const decision = decideDeviceSubmission(catalog, { ...found, documentProblem }, answer, id)
      const { client, account } = found
      const given = client === null || account === null ? [] : leftByGroups(catalog, client, account, granted)
      return { ...decision, answer: { outcome: decision.answer, stillGiven: given } }
    },
  )
  if (outcome === "confirm") return { outcome, granted: stillGiven }
  if (outcome === "approved" || outcome === "denied") {
    pollIntervals.forget(grantId)
    return { outcome }
  }
  return notDecided(outcome === "too-late" ? "stale" : outcome)
}
