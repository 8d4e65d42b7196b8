/** The account holder's answer to a machine: interface DG-3…DG-6, DG-8. Bound to one session, one account and one grant. */
import type { Session } from "../../records/account.rules.ts"
import { type Decided, decided } from "../../records/change.rules.ts"
import { decideDeviceAnswer, type DeviceOutcome } from "./device-answer.rules.ts"
import { CREDENTIAL_SECONDS } from "../../kernel/limits.ts"
import { consentedTo } from "../../records/self-registration.rules.ts"
import { resolveClient } from "../clients/resolve.rules.ts"
import type { Services } from "../../services/services.ts"
import { type DeviceTicket, ticketProblem } from "../authorize/ticket.ts"

export type NotDecided =
  Exclude<DeviceOutcome, "approved" | "denied" | "confirm" | "too-late"> | "not-yours" | "stale" | "app-gone"

export type DeviceAnswered =
  | { readonly outcome: "approved" | "denied" | "confirm" }
  | { readonly outcome: "not-decided"; readonly because: NotDecided }

const notDecided = (because: NotDecided): DeviceAnswered => ({ outcome: "not-decided", because })

/** `decisions` are the values of every field named `decision`: one clear "authorize" grants, all else refuses. */
export async function answerDevice(
  {
    store,
    clock,
    catalogue,
    pollIntervals: pace,
  }: Pick<Services, "store" | "clock" | "catalogue" | "pollIntervals">,
  ticket: DeviceTicket,
  decisions: readonly string[],
  session: Session,
  address: string,
): Promise<DeviceAnswered> {
  const now = clock.now()
  const problem = ticketProblem(ticket, session, now)
  if (problem !== null) return notDecided(problem)

  const { id, grantId, userId, granted, isConfirmation } = ticket
  const authorizes = decisions.length === 1 && decisions[0] === "authorize"
  const answer = { authorizes, userId, granted, isConfirmed: isConfirmation, now, address }
  // Whose grant it is never changes, so that it may be looked up before.
  const { deviceGrant: shown } = await store.read({ deviceGrant: grantId })
  const outcome = await store.change(
    {
      spentTicket: id,
      deviceGrant: grantId,
      client: shown?.request.clientId ?? null,
      session: session.sessionHash,
      account: userId,
    },
    ({
      spentTicket,
      deviceGrant: grant,
      client: found,
      session: still,
      account,
    }): Decided<DeviceOutcome | NotDecided> => {
      const client = resolveClient(found, now)
      if (still === null || account === null || !account.enabled) return decided("not-yours")
      if (authorizes && (client === null || !client.enabled)) return decided("app-gone")
      if (authorizes && spentTicket !== null) return decided("answered-before")
      const present = { isAdministrator: account.admin, ceiling: client?.ceiling ?? [] }
      const decision = decideDeviceAnswer(catalogue, { ...answer, ...present, grant })
      // The form grants nothing after a promotion either; Refuse still refuses.
      if (decision.answer === "administration-withdrawn")
        return { ...decision, changes: [{ change: "ticketSpent", ticketId: id, at: now }] }
      if (decision.answer !== "approved" || client === null) return decision
      const stays = consentedTo(client, now + CREDENTIAL_SECONDS)
      return { ...decision, changes: [...decision.changes, ...stays] }
    },
  )
  switch (outcome) {
    case "approved":
    case "denied":
      pace.forget(grantId)
      return { outcome }
    case "confirm":
      return { outcome }
    case "too-late":
      return notDecided("stale")
    case "answered-before":
    case "answered-by-another":
    case "administration-withdrawn":
    case "request-changed":
    case "not-yours":
    case "stale":
    case "app-gone":
      return notDecided(outcome)
  }
}
