/**
 * The interface's table "Device grant", cell by cell: DG-1…DG-7; RFC 8628 §3.4 and §3.5. The state is `deviceAsOf` now.
 */
import { type DeviceGrant, deviceAsOf, type DeviceState } from "../../records/device-grant.rules.ts"
import { type Machine, step } from "../../kernel/machine.ts"

export type DeviceEvent =
  /** The device polls. `isEarly`: before the interval after its last poll has passed. */
  | { readonly event: "polled"; readonly isEarly: boolean }
  /** Authorize on the page. `isSure`: nothing of the hub-administration family, or the second Authorize. */
  | { readonly event: "authorized"; readonly isSure: boolean }
  /** Refuse, no decision, or an unknown one. */
  | { readonly event: "refused" }

/** The answer to a poll before there are tokens. */
export type PollAnswer =
  | "devicePending"
  | "devicePolledEarly"
  | "deviceDenied"
  | "deviceApprovalVoid"
  | "deviceExpired"
  | "deviceRedeemed"

export type DeviceDecision =
  | { readonly decision: "answer"; readonly reason: PollAnswer }
  /** The next poll's token response, once. */
  | { readonly decision: "redeem" }
  /** Show the confirmation page; nothing is granted yet. */
  | { readonly decision: "confirm" }
  | { readonly decision: "approve" }
  | { readonly decision: "deny" }
  /** Answered before, or too late: nothing changes. */
  | { readonly decision: "leave" }

const answer = (reason: PollAnswer) => (): DeviceDecision => ({ decision: "answer", reason })
const waiting = (_: DeviceState, { isEarly }: { isEarly: boolean }): DeviceDecision => ({
  decision: "answer",
  reason: isEarly ? "devicePolledEarly" : "devicePending",
})
/** PAGE-1: only an account holder refuses. */
const denied = ({ userId }: Extract<DeviceState, { state: "denied" }>): DeviceDecision => ({
  decision: "answer",
  reason: userId === null ? "deviceApprovalVoid" : "deviceDenied",
})
const redeem = (): DeviceDecision => ({ decision: "redeem" })
const authorize = (_: DeviceState, { isSure }: { isSure: boolean }): DeviceDecision => ({
  decision: isSure ? "approve" : "confirm",
})
const deny = (): DeviceDecision => ({ decision: "deny" })
const leave = (): DeviceDecision => ({ decision: "leave" })

// prettier-ignore
export const deviceTable: Machine<DeviceState, DeviceEvent, DeviceDecision> = {
  pending:  { polled: waiting,                   authorized: authorize, refused: deny  },
  approved: { polled: redeem,                    authorized: leave,     refused: leave }, // an answer is never held back by pace
  redeemed: { polled: answer("deviceRedeemed"),  authorized: leave,     refused: leave }, // fetched once
  denied:   { polled: denied,                    authorized: leave,     refused: leave }, // final
  expired:  { polled: answer("deviceExpired"),   authorized: leave,     refused: leave },
}

export function decideDevice(grant: DeviceGrant, event: DeviceEvent, now: number): DeviceDecision {
  return step(deviceTable, deviceAsOf(grant, now).answer, event)
}
