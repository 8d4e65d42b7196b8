/** The state table "Device grant". The grant must be `deviceAsOf` now. DG-1…DG-7; RFC 8628 §3.4, §3.5. */
import { type DeviceGrant, deviceAsOf, type DeviceState } from "../../model/device-grant.rules.ts"
import { type Machine, step } from "../../kernel/machine.ts"

export type DeviceEvent =
  /** The device polls. `isEarly` means that the poll interval has not passed yet. */
  | { readonly event: "polled"; readonly isEarly: boolean }
  /** The account holder clicks Authorize. `isSure` is false if a confirmation page must follow. */
  | { readonly event: "authorized"; readonly isSure: boolean }
  /** The account holder clicks Refuse, or the form has no valid decision. */
  | { readonly event: "refused" }

/** The refusals of a poll. */
export type PollAnswer =
  | "devicePending"
  | "devicePolledEarly"
  | "deviceDenied"
  | "deviceApprovalVoid"
  | "deviceExpired"
  | "deviceRedeemed"

export type DeviceDecision =
  | { readonly decision: "answer"; readonly reason: PollAnswer }
  /** The tokens are issued. This happens only once. */
  | { readonly decision: "redeem" }
  /** The confirmation page is shown. Nothing is granted yet. */
  | { readonly decision: "confirm" }
  | { readonly decision: "approve" }
  | { readonly decision: "deny" }
  /** Nothing changes, because the grant was answered before or has expired. */
  | { readonly decision: "leave" }

const answer = (reason: PollAnswer) => (): DeviceDecision => ({ decision: "answer", reason })
const waiting = (_: DeviceState, { isEarly }: { isEarly: boolean }): DeviceDecision => ({
  decision: "answer",
  reason: isEarly ? "devicePolledEarly" : "devicePending",
})
/** Says who denied the grant. Without an account id, the service denied it. PAGE-1. */
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
  approved: { polled: redeem,                    authorized: leave,     refused: leave }, // the tokens are issued even within the poll interval
  redeemed: { polled: answer("deviceRedeemed"),  authorized: leave,     refused: leave }, // the tokens were issued before
  denied:   { polled: denied,                    authorized: leave,     refused: leave }, // a denial is permanent
  expired:  { polled: answer("deviceExpired"),   authorized: leave,     refused: leave },
}

export function decideDevice(grant: DeviceGrant, event: DeviceEvent, now: number): DeviceDecision {
  return step(deviceTable, deviceAsOf(grant, now).answer, event)
}
