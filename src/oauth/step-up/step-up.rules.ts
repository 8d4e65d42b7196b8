/**
 * Step-up: the account holder proves a factor, and an existing credential is elevated for a limited time. No token is
 * issued. A step-up is stored as a device grant and has the same states. Interface STEP-*; RFC 9470.
 */
import { type Change, type Decided, decided, eventRecorded } from "../../model/change.rules.ts"
import type { Account, Session } from "../../model/account.rules.ts"
import type { TokenId } from "../../kernel/ids.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { type BearerFacts, decideBearer } from "../credential/bearer.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { asOf, type Credential } from "../../model/credential.rules.ts"
import { type DeviceGrant, deviceAsOf } from "../../model/device-grant.rules.ts"
import { answeredGrant } from "../device/device-answer.rules.ts"
import { persistObservedDeviceExpiry } from "../device/device-poll.rules.ts"
import type { Form } from "../../kernel/form.ts"
import { STEP_UP_REASON_LENGTH_AT_MOST } from "../../kernel/limits.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { persistObservedExpiry } from "../credential/observed-expiry.rules.ts"
import { codePointCount, isVisibleText } from "../../kernel/visible-text.ts"

/** Reads the reason that the app gives for the step-up. Refuses: parameterMalformed. */
export function parseStepUpReason(form: Form): Result<string | null, Refusal> {
  const reason = form.values.get("reason")?.trim() ?? ""
  if (reason === "") return ok(null)
  const isGood = isVisibleText(reason) && codePointCount(reason) <= STEP_UP_REASON_LENGTH_AT_MOST
  return isGood ? ok(reason) : err({ reason: "parameterMalformed", parameter: "reason" })
}

/** The reasons why a step-up cannot be confirmed. */
export type StepUpBlocker = "answered-before" | "too-late" | "connection-ended" | "app-gone" | "not-allowed"

type StepUpFacts = {
  readonly grant: DeviceGrant
  readonly credential: Credential | null
  readonly client: Client | null
}

/** Returns what blocks the confirmation of a step-up. Returns null if nothing does. */
export function stepUpBlocker(facts: StepUpFacts, now: number): StepUpBlocker | null {
  const { client } = facts
  const end = endOf(facts, now)
  if (end !== null) return end
  if (client === null || !client.enabled) return "app-gone"
  return client.stepUp ? null : "not-allowed"
}

/** Returns the blocker of a step-up that has ended, or null. Such a step-up cannot be refused either. STEP-5. */
function endOf({ grant, credential }: StepUpFacts, now: number): StepUpBlocker | null {
  const { state } = deviceAsOf(grant, now).answer
  if (state === "expired") return "too-late"
  if (state !== "pending") return "answered-before"
  const isActive = credential !== null && asOf(credential, now).life.state === "active"
  return isActive ? null : "connection-ended"
}

/** Refuses: accessTokenInvalid, stepUpNotAllowed. */
export function decideStepUpRequest(
  catalog: Catalog,
  facts: BearerFacts,
  tokenId: TokenId,
  reason: string | null,
  now: number,
): Decided<Result<Pick<DeviceGrant["request"], "clientId" | "purpose">, Refusal>> {
  const { answer: bearer, changes } = decideBearer(catalog, facts, now)
  if (!bearer.ok) return decided(bearer, ...changes)
  const { client, account } = bearer.value
  // A service account has no account holder who could prove a factor.
  if (!client.stepUp || account.type === "service") return decided(err({ reason: "stepUpNotAllowed" }))
  const purpose = { purpose: "step-up", tokenId, userId: account.userId, reason } as const
  return decided(ok({ clientId: client.clientId, purpose }))
}

export type StepUpAnswer = StepUpFacts & {
  /** Whether the account holder authorized and proved a factor. */
  readonly isProven: boolean
  readonly windowSeconds: number
  readonly now: number
  readonly address: string
  /** The provider that proved it, for the audit trail. */
  readonly through?: string
}

export type StepUpOutcome = "approved" | "denied" | StepUpBlocker

export type StoredForStepUp = {
  readonly session: Session | null
  readonly ownerOf: Account | null
  readonly deviceGrant: DeviceGrant | null
  readonly credential: Credential | null
  readonly appOf: Client | null
}

/**
 * Decides on an account holder's answer with the current rows. `blocked` is a blocker that was found before the factor
 * was checked. Without a proven factor, the answer never elevates.
 */
export function decideStepUpAnswer(
  { session, ownerOf, deviceGrant: grant, credential, appOf: client }: StoredForStepUp,
  answer: Omit<StepUpAnswer, keyof StepUpFacts> & { readonly blocked: StepUpBlocker | null },
): Decided<StepUpOutcome | "not-yours"> {
  if (session === null || ownerOf?.enabled === false) return decided("not-yours")
  if (grant === null) return decided("too-late")
  const decision = decideStepUp({ grant, credential, client, ...answer })
  return answer.blocked !== null && decision.answer === "approved" ? decided(answer.blocked) : decision
}

/** Elevates the credential, or denies the step-up permanently. */
export function decideStepUp(answer: StepUpAnswer): Decided<StepUpOutcome> {
  const { grant, credential, isProven, now, address, through } = answer
  const { request } = grant
  if (request.purpose.purpose !== "step-up") throw new Error("a grant of access elevates nothing")
  const { tokenId, userId } = request.purpose
  const facts = { userId, clientId: request.clientId, tokenId, address }
  const blocker = isProven ? stepUpBlocker(answer, now) : endOf(answer, now)
  if (blocker !== null || credential === null)
    return decided(blocker ?? "connection-ended", ...reportedEnd(answer, blocker, now))
  if (!isProven)
    return decided<StepUpOutcome>(
      "denied",
      answeredGrant(grant, { state: "denied", deniedAt: now, userId }),
      eventRecorded("elevation-refused", now, facts),
    )
  return decided<StepUpOutcome>(
    "approved",
    elevate(credential, now + answer.windowSeconds),
    answeredGrant(grant, { state: "approved", userId, granted: [], approvedAt: now, openid: null }),
    eventRecorded("elevated", now, { ...facts, detail: through ?? null }),
  )
}

/** Stores an expiry that the response reports. Setting the clock back then cannot undo the expiry. */
export function reportedEnd(
  { grant, credential }: StepUpFacts,
  blocker: StepUpBlocker | null,
  now: number,
): readonly Change[] {
  if (blocker === "too-late") return persistObservedDeviceExpiry(grant, deviceAsOf(grant, now))
  if (blocker === "connection-ended" && credential !== null)
    return persistObservedExpiry(credential, asOf(credential, now))
  return []
}

/** Elevates the credential. The elevation survives refreshes and ends no later than the credential. STEP-2. */
function elevate(credential: Credential, until: number): Change {
  if (credential.life.state !== "active") throw new Error("a credential that ended is never elevated")
  const elevatedUntil = Math.min(until, credential.consent.endsAt)
  return {
    change: "credentialChanged",
    credential: { ...credential, life: { ...credential.life, elevatedUntil } },
  }
}
