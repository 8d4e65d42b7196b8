/**
 * Step-up: the account holder proves a factor, and an existing credential is elevated for a while. No token is issued.
 * Interface STEP-*; RFC 9470. A step-up is a kind of device grant and has its states.
 */
import { type Change, type Decided, decided } from "../../records/change.rules.ts"
import type { Account, Session } from "../../records/account.rules.ts"
import type { TokenId } from "../../kernel/ids.ts"
import type { Catalogue } from "../../permissions/permission-catalogue.rules.ts"
import { type BearerFacts, decideBearer } from "../credential/bearer.rules.ts"
import type { Client } from "../../records/client.rules.ts"
import { asOf, type Credential } from "../../records/credential.rules.ts"
import { type DeviceGrant, deviceAsOf } from "../../records/device-grant.rules.ts"
import { persistObservedDeviceExpiry } from "../device/device-poll.rules.ts"
import { event } from "../../records/event.rules.ts"
import type { Form } from "../../kernel/form.ts"
import { STEP_UP_REASON_LENGTH_AT_MOST } from "../../kernel/limits.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Refusal } from "../refusal.rules.ts"
import { persistObservedExpiry } from "../credential/observed-expiry.rules.ts"
import { codePointCount, isVisibleText } from "../../kernel/visible-text.ts"

/** What the app says it wants to do, shown as its words. Refuses: parameterMalformed. */
export function parseStepUpReason(form: Form): Result<string | null, Refusal> {
  const reason = form.values.get("reason")?.trim() ?? ""
  if (reason === "") return ok(null)
  const isGood = isVisibleText(reason) && codePointCount(reason) <= STEP_UP_REASON_LENGTH_AT_MOST
  return isGood ? ok(reason) : err({ reason: "parameterMalformed", parameter: "reason" })
}

/** Why a step-up cannot be confirmed. */
export type StepUpBlocker = "answered-before" | "too-late" | "connection-ended" | "app-gone" | "not-allowed"

/** What a step-up depends on, as it is stored now. */
export type StepUpFacts = {
  readonly grant: DeviceGrant
  readonly credential: Credential | null
  readonly client: Client | null
}

/** What blocks the confirmation of a step-up; null if nothing does. */
export function stepUpBlocker(facts: StepUpFacts, now: number): StepUpBlocker | null {
  const { client } = facts
  const end = endOf(facts, now)
  if (end !== null) return end
  if (client === null || !client.enabled) return "app-gone"
  return client.stepUp ? null : "not-allowed"
}

/** These also block a refusal, because there is nothing left to refuse. STEP-5. */
function endOf({ grant, credential }: StepUpFacts, now: number): StepUpBlocker | null {
  const { state } = deviceAsOf(grant, now).answer
  if (state === "expired") return "too-late"
  if (state !== "pending") return "answered-before"
  const isActive = credential !== null && asOf(credential, now).life.state === "active"
  return isActive ? null : "connection-ended"
}

/**
 * An app asks for a step-up with its access token.
 * Refuses: accessTokenInvalid, stepUpNotAllowed.
 */
export function decideStepUpRequest(
  catalogue: Catalogue,
  facts: BearerFacts,
  tokenId: TokenId,
  reason: string | null,
  now: number,
): Decided<Result<Pick<DeviceGrant["request"], "clientId" | "purpose">, Refusal>> {
  const { answer: bearer, changes } = decideBearer(catalogue, facts, now)
  if (!bearer.ok) return decided(bearer, ...changes)
  const { client, account } = bearer.value
  if (!client.stepUp) return decided(err({ reason: "stepUpNotAllowed" }))
  const purpose = { purpose: "step-up", tokenId, userId: account.userId, reason } as const
  return decided(ok({ clientId: client.clientId, purpose }))
}

export type StepUpAnswer = StepUpFacts & {
  /** Whether the account holder said yes and proved a factor. */
  readonly isProven: boolean
  readonly windowSeconds: number
  readonly now: number
  readonly address: string
}

export type StepUpOutcome = "approved" | "denied" | StepUpBlocker

type StoredForStepUp = {
  readonly session: Session | null
  readonly ownerOf: Account | null
  readonly deviceGrant: DeviceGrant | null
  readonly credential: Credential | null
  readonly appOf: Client | null
}

/**
 * The answer of a page, on what is stored now. `blocked` is why the page asked for no factor: nothing is elevated then,
 * even if nothing blocks it any longer.
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

/** Elevates the credential, or refuses for good. */
export function decideStepUp(answer: StepUpAnswer): Decided<StepUpOutcome> {
  const { grant, credential, isProven, now, address } = answer
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
      {
        change: "deviceGrantChanged",
        grant: { request, answer: { state: "denied", deniedAt: now, userId } },
      },
      { change: "eventRecorded", event: event("elevation-refused", now, facts) },
    )
  return decided<StepUpOutcome>(
    "approved",
    elevate(credential, now + answer.windowSeconds),
    {
      change: "deviceGrantChanged",
      grant: { request, answer: { state: "approved", userId, granted: [], approvedAt: now } },
    },
    { change: "eventRecorded", event: event("elevated", now, facts) },
  )
}

/** An end that the answer reports is stored with it, so that setting the clock back does not undo it. */
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

/** STEP-2: the window belongs to this credential, survives its refreshes and ends with it. */
function elevate(credential: Credential, until: number): Change {
  if (credential.life.state !== "active") throw new Error("a credential that ended is never elevated")
  const elevatedUntil = Math.min(until, credential.consent.endsAt)
  return {
    change: "credentialChanged",
    credential: { ...credential, life: { ...credential.life, elevatedUntil } },
  }
}
