/**
 * Decides on a poll with a device code: RFC 8628 §3.4 and §3.5; interface DG-1, DG-2, DG-3, DG-6, DG-7, DG-9. The poll
 * that receives the tokens creates the credential from the approval.
 */
import type { Account } from "../../model/account.rules.ts"
import type { GrantId, Hash, TokenId } from "../../kernel/ids.ts"
import { type Change, type Decided, decided } from "../../model/change.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { sameHash } from "../../kernel/constant-time.ts"
import { asOf, type Consent, type Credential } from "../../model/credential.rules.ts"
import { type DeviceGrant, type DevicePurpose, deviceAsOf } from "../../model/device-grant.rules.ts"
import { decideDevice, deviceTable, type PollAnswer } from "./device-table.rules.ts"
import { event } from "../../model/event.rules.ts"
import { anyResource, type JwtOf, noJwt, type ResourceSpelling } from "../../model/known-resources.rules.ts"
import { issueJwt } from "../jwt/access-token.rules.ts"
import { startFamily } from "../credential/family.rules.ts"
import { CREDENTIAL_SECONDS, POLL_SECONDS } from "../../kernel/limits.ts"
import type { TokenIssueInput } from "../credential/token-response.rules.ts"
import { step } from "../../kernel/machine.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { admits } from "../../model/permissions/standing.rules.ts"
import { reach } from "../../model/permissions/reach.rules.ts"
import { type Form, required } from "../../kernel/form.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import { isAlive } from "../../kernel/time.ts"
import { type TokenResponse, tokenResponse } from "../credential/token-response.rules.ts"
import { narrowedAudience, type RequestedAudience } from "../credential/audience.rules.ts"
import { parseAudience } from "../authorize/authorization-request.rules.ts"
import { persistObservedExpiry } from "../credential/observed-expiry.rules.ts"

/** The parameters of a poll. RFC 8628 §3.4. */
export type DeviceCodeRequest = {
  readonly deviceCode: string
  /** The member is missing if the request names no resource. */
  readonly audience?: RequestedAudience | undefined
}

export function parseDeviceCodeRequest(form: Form): Result<DeviceCodeRequest, Refusal> {
  const deviceCode = required(form, "device_code")
  return deviceCode.ok ? ok({ deviceCode: deviceCode.value, ...parseAudience(form) }) : deviceCode
}

export type Poll = {
  readonly client: Client
  readonly grant: DeviceGrant | null
  /** The account that approved the grant. The value is null without an approval, or if the account was removed. */
  readonly approver: Account | null
  /** The credential that a step-up elevates. The value is null for other grants, or if the credential was removed. */
  readonly credential: Credential | null
  readonly deviceHash: Hash
  /** The member is missing if the request names no resource. */
  readonly audience?: RequestedAudience | undefined
  readonly spellingOf?: ResourceSpelling
  readonly jwtOf?: JwtOf
}

/** Only the poll that receives the tokens makes them. A retried change gets the same ones. */
type PollInput = Omit<TokenIssueInput, "pair"> & { readonly pairOf: (id: TokenId) => TokenIssueInput["pair"] }

/** The response to a poll of a step-up: STEP-3. Divergence: D-16, it contains no token. */
export type Elevated = { readonly elevated: true }

/**
 * Decides on a poll that keeps the interval. After devicePending, the caller continues with `pacedRefusal`.
 *
 * Refuses: deviceCodeUnknown, deviceCodeOfAnotherClient, deviceFlowOff, devicePending, deviceDenied,
 * deviceApprovalVoid, deviceExpired, deviceRedeemed, resourceMalformed, resourceUnknown. A step-up may also be refused
 * with credentialRevoked or credentialEnded.
 */
export function decidePoll(
  catalog: Catalog,
  poll: Poll,
  issueInput: PollInput,
): Decided<Result<TokenResponse | Elevated, Refusal>> {
  const { client, grant, deviceHash } = poll
  const { now } = issueInput
  if (grant === null || !sameHash(grant.request.deviceHash, deviceHash))
    return decided(err({ reason: "deviceCodeUnknown" }))
  const { grantId, clientId } = grant.request
  if (clientId !== client.clientId) return decided(err({ reason: "deviceCodeOfAnotherClient", grantId }))
  // Nothing is stored here. If the flow is turned on again before the grant expires, the grant works again.
  if (isSwitchedOff(client, grant)) return decided(err({ reason: "deviceFlowOff" }))

  const present = deviceAsOf(grant, now)
  const ended = endOfStepUp(poll, present, now)
  if (ended !== null) return ended
  const seen = elevationAsOf(present, poll.credential, now)
  // The response access_denied is final, also if the app may step up again later (DG-6).
  if (seen.answer.state === "pending" && seen.request.purpose.purpose === "step-up" && !client.stepUp)
    return denied(grant, now)
  const decision = decideDevice(seen, { event: "polled", isEarly: false }, now)
  switch (decision.decision) {
    case "answer":
      return decided(
        err(refusalOf(decision.reason, grantId, null)),
        ...persistObservedDeviceExpiry(grant, seen),
      )
    case "redeem":
      return redeem(catalog, poll, seen, issueInput)
    case "confirm":
    case "approve":
    case "deny":
    case "leave":
      throw new Error("a poll never answers for the account holder")
  }
}

/** `interval` is the new one in seconds, or null if the poll was not early. Only polls of the grant's app count. */
export function pacedRefusal(grantId: GrantId, interval: number | null): Refusal {
  const decision = step(deviceTable, { state: "pending" }, { event: "polled", isEarly: interval !== null })
  if (decision.decision !== "answer") throw new Error("a pending grant has nothing to fetch")
  return refusalOf(decision.reason, grantId, interval)
}

function refusalOf(reason: PollAnswer, grantId: string, interval: number | null): Refusal {
  switch (reason) {
    case "devicePending":
      return { reason }
    case "devicePolledEarly":
      return { reason, interval: interval ?? POLL_SECONDS }
    case "deviceDenied":
    case "deviceApprovalVoid":
    case "deviceExpired":
    case "deviceRedeemed":
      return { reason, grantId }
  }
}

/** Whether an administrator turned off the device flow that the grant needs. A step-up needs none. DAUTH-4. */
export function isSwitchedOff(
  { deviceFlow }: Pick<Client, "deviceFlow">,
  { request }: Pick<DeviceGrant, "request">,
): boolean {
  return !deviceFlow && request.purpose.purpose === "access"
}

/** Refuses a pending or approved step-up whose credential has ended. Null for all others. STEP-5. */
function endOfStepUp(
  { credential }: Poll,
  { request, answer }: DeviceGrant,
  now: number,
): Decided<Result<never, Refusal>> | null {
  const isOpen = answer.state === "pending" || answer.state === "approved"
  if (request.purpose.purpose !== "step-up" || !isOpen) return null
  const { tokenId } = request.purpose
  if (credential === null) return decided(err({ reason: "credentialEnded", tokenId }))
  const seen = asOf(credential, now)
  if (seen.life.state === "active") return null
  const reason = seen.life.state === "revoked" ? "credentialRevoked" : "credentialEnded"
  return decided(err({ reason, tokenId }), ...persistObservedExpiry(credential, seen))
}

/** Computes the state now. An approved step-up expires together with the elevation of its credential. DG-9. */
function elevationAsOf(grant: DeviceGrant, credential: Credential | null, now: number): DeviceGrant {
  const { request, answer } = grant
  if (request.purpose.purpose !== "step-up" || answer.state !== "approved") return grant
  const until = credential?.life.state === "active" ? credential.life.elevatedUntil : null
  return until !== null && isAlive(until, now) ? grant : { request, answer: { state: "expired" } }
}

/** Stores an expiry that the response reports. */
export function persistObservedDeviceExpiry(stored: DeviceGrant, seen: DeviceGrant): readonly Change[] {
  return stored === seen ? [] : [{ change: "deviceGrantChanged", grant: seen }]
}

function redeem(
  catalog: Catalog,
  { client, approver, audience = ok(null), spellingOf = anyResource, jwtOf = noJwt }: Poll,
  grant: DeviceGrant,
  issueInput: PollInput,
): Decided<Result<TokenResponse | Elevated, Refusal>> {
  const { request, answer } = grant
  if (answer.state !== "approved") throw new Error("only an approved grant is redeemed")
  const { purpose } = request
  const { now, address } = issueInput
  const redeemed = {
    change: "deviceGrantChanged",
    grant: { request, answer: { state: "redeemed", redeemedAt: now, userId: answer.userId } },
  } as const
  if (purpose.purpose === "step-up") return decided(ok({ elevated: true }), redeemed)
  // Disabling an account ends its approvals permanently (docs/interface.md, "Device flow").
  if (approver === null || !approver.enabled || !admits(client.groups, approver)) return denied(grant, now)
  const consent = consentOf(grant, purpose, answer)
  const named = narrowedAudience(consent.resources, audience, spellingOf)
  if (!named.ok) return decided(named)
  const { pairOf, familyKey, accessSeconds } = issueInput
  const pair = pairOf(consent.tokenId)
  const jwt = issueJwt(jwtOf(named.value ?? consent.resources), consent, now)
  const family = startFamily(consent, pair, familyKey, accessSeconds, now, address, named.value, jwt)
  const scope = reach(catalog, consent.scope, client, approver)
  const { userId, clientId, tokenId } = consent
  return decided(
    ok(tokenResponse(pair, consent, family, approver, scope, now, jwt)),
    redeemed,
    {
      change: "credentialAdded",
      credential: { consent, code: null, life: { state: "active", family, elevatedUntil: null } },
    },
    {
      change: "eventRecorded",
      event: event("device-code-redeemed", now, { userId, clientId, tokenId, address }),
    },
  )
}

/** Denies the grant permanently, although no account holder refused it. */
function denied({ request }: DeviceGrant, now: number): Decided<Result<never, Refusal>> {
  return decided(err({ reason: "deviceApprovalVoid", grantId: request.grantId }), {
    change: "deviceGrantChanged",
    grant: { request, answer: { state: "denied", deniedAt: now, userId: null } },
  })
}

function consentOf(
  { request }: DeviceGrant,
  { installationName, resources }: Extract<DevicePurpose, { purpose: "access" }>,
  {
    userId,
    granted,
    approvedAt,
    openid,
  }: Pick<Consent, "userId" | "openid"> & { readonly granted: Consent["scope"]; readonly approvedAt: number },
): Consent {
  return {
    tokenId: tokenIdOf(request.grantId),
    clientId: request.clientId,
    userId,
    installationName,
    scope: granted,
    resources,
    consentedAt: approvedAt,
    endsAt: approvedAt + CREDENTIAL_SECONDS,
    openid,
  }
}

/** Returns the id of the credential. It equals the id of the grant, so a grant creates at most one credential. */
export function tokenIdOf(grantId: GrantId): TokenId {
  return grantId as string as TokenId
}
