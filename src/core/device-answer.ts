/**
 * What the account holder answers on the device page, decided: interface DG-3…DG-6.
 *
 * A grant that reaches the hub-administration family takes two clicks of Authorize, and the first binds nothing.
 */
import type { Permission, UserId } from "./brand.ts"
import { type Decided, decided } from "./change.ts"
import { type DeviceGrant, deviceAsOf } from "./device-grant.ts"
import { deviceTold } from "./device-poll.ts"
import { decideDevice } from "./device-table.ts"
import { event } from "./event.ts"
import { reachesHubAdministration } from "./permission.ts"
import type { Catalogue } from "./permission-catalogue.ts"

export type DeviceAnswer = {
  readonly grant: DeviceGrant | null
  readonly authorizes: boolean
  /** Whether this click comes from the confirmation page. */
  readonly isConfirmed: boolean
  readonly userId: UserId
  /** What the page showed as granted. */
  readonly granted: readonly Permission[]
  readonly now: number
  readonly address: string
}

export type DeviceOutcome =
  | "approved"
  | "denied"
  | "confirm"
  | "answered-before"
  /** The ten minutes are over: DG-7. */
  | "too-late"

export function decideDeviceAnswer(catalogue: Catalogue, answer: DeviceAnswer): Decided<DeviceOutcome> {
  const { grant, authorizes, isConfirmed, userId, granted, now, address } = answer
  if (grant === null) return decided<DeviceOutcome>("answered-before")
  const isSure = isConfirmed || !reachesHubAdministration(catalogue, granted)
  const decision = decideDevice(
    grant,
    authorizes && granted.length > 0 ? { event: "authorized", isSure } : { event: "refused" },
    now,
  )
  const { request } = grant
  const facts = { userId, clientId: request.clientId, address }
  switch (decision.decision) {
    case "approve":
      return decided<DeviceOutcome>(
        "approved",
        {
          change: "deviceGrantChanged",
          grant: { request, answer: { state: "approved", userId, granted, approvedAt: now } },
        },
        { change: "eventRecorded", event: event("device-approved", now, facts) },
      )
    case "deny":
      return decided<DeviceOutcome>(
        "denied",
        { change: "deviceGrantChanged", grant: { request, answer: { state: "denied", deniedAt: now } } },
        { change: "eventRecorded", event: event("device-refused", now, facts) },
      )
    case "confirm":
      return decided<DeviceOutcome>("confirm")
    case "leave": {
      const seen = deviceAsOf(grant, now)
      const isExpired = seen.answer.state === "expired"
      return decided<DeviceOutcome>(isExpired ? "too-late" : "answered-before", ...deviceTold(grant, seen))
    }
    case "answer":
    case "redeem":
      throw new Error("an account holder never polls")
  }
}
