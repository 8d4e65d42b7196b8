/**
 * Step-up: the account holder proves a factor, and a credential that exists is elevated for a while; no token is issued.
 * Interface STEP-*; RFC 9470. The ceremony is a device grant of its own kind, so its states are that table's.
 */
import { type Change, type Decided, decided } from "./change.ts"
import { asOf, type Credential } from "./credential.ts"
import { type DeviceGrant, deviceAsOf } from "./device-grant.ts"
import { deviceTold } from "./device-poll.ts"
import { decideDevice } from "./device-table.ts"
import { event } from "./event.ts"
import type { Form } from "./form.ts"
import { STEP_UP_REASON_LENGTH_AT_MOST } from "./limits.ts"
import { accept, refuse, type Result } from "./result.ts"
import { codePointCount, isVisibleText } from "./visible-text.ts"

/** What the app says it wants to do, shown as its words. Refuses: parameterMalformed. */
export function parseStepUpReason(form: Form): Result<string | null> {
  const reason = form.values.get("reason")?.trim() ?? ""
  if (reason === "") return accept(null)
  const isGood = isVisibleText(reason) && codePointCount(reason) <= STEP_UP_REASON_LENGTH_AT_MOST
  return isGood ? accept(reason) : refuse({ reason: "parameterMalformed", parameter: "reason" })
}

export type StepUpAnswer = {
  readonly grant: DeviceGrant | null
  readonly credential: Credential | null
  /** Whether the account holder said yes and proved a factor. */
  readonly isProven: boolean
  readonly windowSeconds: number
  readonly now: number
  readonly address: string
}

export type StepUpOutcome = "approved" | "denied" | "answered-before" | "too-late"

/** Elevates the credential, or refuses for good. A credential that is over meanwhile is never elevated. */
export function decideStepUp(answer: StepUpAnswer): Decided<StepUpOutcome> {
  const { grant, isProven, now, address } = answer
  if (grant === null || grant.request.purpose.purpose !== "step-up") return decided("answered-before")
  const credential = answer.credential === null ? null : asOf(answer.credential, now)
  const { request } = grant
  const { tokenId, userId } = grant.request.purpose
  const facts = { userId, clientId: request.clientId, tokenId, address }
  const elevated = isProven && credential !== null ? elevate(credential, now + answer.windowSeconds) : null
  const decision = decideDevice(
    grant,
    elevated === null ? { event: "refused" } : { event: "authorized", isSure: true },
    now,
  )
  if (decision.decision === "approve" && elevated !== null) {
    return decided<StepUpOutcome>(
      "approved",
      elevated,
      {
        change: "deviceGrantChanged",
        grant: { request, answer: { state: "approved", userId, granted: [], approvedAt: now } },
      },
      { change: "eventRecorded", event: event("elevated", now, facts) },
    )
  }
  if (decision.decision === "deny") {
    return decided<StepUpOutcome>(
      "denied",
      { change: "deviceGrantChanged", grant: { request, answer: { state: "denied", deniedAt: now } } },
      { change: "eventRecorded", event: event("elevation-refused", now, facts) },
    )
  }
  const seen = deviceAsOf(grant, now)
  const isExpired = seen.answer.state === "expired"
  return decided<StepUpOutcome>(isExpired ? "too-late" : "answered-before", ...deviceTold(grant, seen))
}

/** STEP-2: the window belongs to this credential, survives its refreshes and ends with it. */
function elevate(credential: Credential, until: number): Change | null {
  if (credential.life.state !== "active") return null
  const elevatedUntil = Math.min(until, credential.consent.endsAt)
  return {
    change: "credentialChanged",
    credential: { ...credential, life: { ...credential.life, elevatedUntil } },
  }
}
