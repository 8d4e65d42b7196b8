/** The account holder's answer to a machine: interface DG-3…DG-6. Bound to one session, one account and one grant. */
import type { Session } from "../core/account.ts"
import { decided } from "../core/change.ts"
import { decideDeviceAnswer, type DeviceOutcome } from "../core/device-answer.ts"
import type { Latchkey } from "./latchkey.ts"
import { type DeviceTicket, ticketProblem } from "./ticket.ts"

export type DeviceAnswered =
  | { readonly outcome: Exclude<DeviceOutcome, "answered-before"> }
  | {
      readonly outcome: "not-decided"
      readonly because: "not-yours" | "answered-before" | "stale" | "app-gone"
    }

export async function answerDevice(
  { store, clock, catalogue, pace }: Pick<Latchkey, "store" | "clock" | "catalogue" | "pace">,
  ticket: DeviceTicket,
  decisions: readonly string[],
  session: Session,
  address: string,
): Promise<DeviceAnswered> {
  const notDecided = (because: "not-yours" | "answered-before" | "stale" | "app-gone"): DeviceAnswered => ({
    outcome: "not-decided",
    because,
  })
  const now = clock.now()
  const problem = ticketProblem(ticket, session, now)
  if (problem !== null) return notDecided(problem)

  const { grantId, userId, granted, isConfirmation } = ticket
  const answer = { userId, granted, isConfirmed: isConfirmation, now, address }
  const authorizes = decisions.length === 1 && decisions[0] === "authorize"
  const outcome = await store.change(
    { deviceGrant: grantId, session: session.sessionHash, account: userId },
    ({ deviceGrant: grant, session: still, account }) =>
      still === null || account === null || !account.enabled
        ? decided<DeviceOutcome | null>(null)
        : decideDeviceAnswer(catalogue, { ...answer, grant, authorizes }),
  )
  if (outcome === null) return notDecided("not-yours")
  if (outcome === "answered-before") return notDecided("answered-before")
  if (outcome !== "confirm") pace.forget(grantId)
  return { outcome }
}
