/**
 * Decides on a refresh: RFC 6749 §6, RFC 9700 §4.14.2; interface CRED-1, CRED-2, AUTH-6…AUTH-8. An error never rotates
 * the token. Within the grace period, the previous token returns the same pair again.
 *
 * 1. The token is classified. Reuse ends the credential, whatever `scope` says.
 * 2. The same rule checks `scope` for the current and the previous token. Its errors therefore do not distinguish the
 * tokens (AUTH-10).
 */
import type { Account } from "../../../model/account.rules.ts"
import type { Permission } from "../../../kernel/ids.ts"
import { type Change, type Decided, decided } from "../../../model/change.rules.ts"
import type { Client } from "../../../model/clients/client.rules.ts"
import {
  type Credential,
  asOf,
  type Family,
  familyOf,
  type Retired,
} from "../../../model/credential.rules.ts"
import { sameHash } from "../../../kernel/constant-time.ts"
import { decideCredential, presentedEvent } from "../../credential/credential-table.rules.ts"
import { event } from "../../../model/event.rules.ts"
import {
  anyResource,
  type JwtOf,
  noJwt,
  type ResourceSpelling,
} from "../../../model/known-resources.rules.ts"
import { isSameAudience, narrowedAudience, type RequestedAudience } from "../../credential/audience.rules.ts"
import { issueJwt, type IssuedJwt } from "../../jwt/access-token.rules.ts"
import { rotate } from "../../credential/family.rules.ts"
import type { Catalog } from "../../../model/permissions/permission-catalog.rules.ts"
import { reach } from "../../../model/permissions/reach.rules.ts"
import { classify, type PresentedRefreshToken } from "../../credential/refresh-token.rules.ts"
import { type Repeat, repeated } from "./repeat.rules.ts"
import { type Result, err, ok } from "../../../kernel/result.ts"
import type { Refusal } from "../../../model/refusals/refusal.rules.ts"
import { narrow } from "../../../model/permissions/scope.rules.ts"
import { type TokenPair, type TokenResponse, tokenResponse } from "../../credential/token-response.rules.ts"
import { persistObservedExpiry } from "../../credential/observed-expiry.rules.ts"

export type Refresh = {
  readonly client: Client
  readonly credential: Credential | null
  readonly account: Account | null
  /** The value is null if the text is not a refresh token. */
  readonly token: PresentedRefreshToken | null
  /** The names in `scope`, or an error if `scope` is malformed. The names are null if `scope` is omitted. */
  readonly scope: Result<readonly string[] | null, Refusal>
  /** The member is missing if the request names no resource. */
  readonly audience?: RequestedAudience | undefined
  readonly spellingOf?: ResourceSpelling
  readonly jwtOf?: JwtOf
}

export type Refreshed = {
  readonly response: TokenResponse
  /** Whether this pair was sent before. */
  readonly isRepeat: boolean
}

export type RotationInput = Repeat & {
  readonly accessSeconds: number
  /** Derives the pair that follows the presented token. Returns null if there is no rotation key for this time. */
  readonly successor: (rotatedAt: number, familyKey: string) => TokenPair | null
}

type Live = {
  readonly credential: Credential
  readonly family: Family
  readonly client: Client
  readonly account: Account
  readonly scope: Refresh["scope"]
  readonly audience: RequestedAudience
  readonly spellingOf: ResourceSpelling
  readonly jwtOf: JwtOf
}

/**
 * Decides on a refresh. Refuses: refreshTokenUnknown, refreshTokenOfAnotherClient, refreshTokenRetired,
 * refreshTokenReused (and revokes), credentialRevoked, credentialEnded, accountUnavailable; scopeMalformed,
 * scopeUnknown, scopeOverReach, resourceMalformed, resourceUnknown, resourceDiffers.
 */
export function decideRefresh(
  catalog: Catalog,
  {
    client,
    credential,
    account,
    token,
    scope,
    audience = ok(null),
    spellingOf = anyResource,
    jwtOf = noJwt,
  }: Refresh,
  rotationInput: RotationInput,
): Decided<Result<Refreshed, Refusal>> {
  const { now } = rotationInput
  const stored = credential === null ? null : familyOf(credential)
  if (credential === null || token === null || stored === null)
    return decided(err({ reason: "refreshTokenUnknown" }))
  const { tokenId, clientId } = credential.consent
  if (clientId !== client.clientId) return decided(err({ reason: "refreshTokenOfAnotherClient", tokenId }))

  const seen = asOf(credential, now)
  const presented = classify(stored, token, now)
  const decision = decideCredential(seen, presentedEvent(presented, stored.retired))
  const live =
    account === null || !account.enabled
      ? null
      : { credential: seen, family: stored, client, account, scope, audience, spellingOf, jwtOf }
  switch (decision.decision) {
    case "refuse":
      return decided(
        err(decision.refusal),
        ...(presented === "neverIssued" ? [] : persistObservedExpiry(credential, seen)),
      )
    case "revoke":
      return decided(
        err(decision.refusal ?? { reason: "credentialRevoked", tokenId }),
        ...revokedForReuse(seen, stored, rotationInput),
      )
    case "leave":
      return decided(err({ reason: "credentialRevoked", tokenId }))
    case "answerAgain":
      if (live === null) return decided(err({ reason: "accountUnavailable", tokenId }))
      return answerAgain(catalog, live, decision.retired, rotationInput)
    case "rotate":
      if (live === null) return decided(err({ reason: "accountUnavailable", tokenId }))
      return rotateOnce(catalog, live, rotationInput)
  }
}

function rotateOnce(
  catalog: Catalog,
  live: Live,
  { now, address, accessSeconds, successor }: RotationInput,
): Decided<Result<Refreshed, Refusal>> {
  const { credential, family, account } = live
  const { consent, life } = credential
  const judged = judgeScope(catalog, live)
  if (!judged.ok) return decided(judged)

  const pair = successor(now, family.key)
  if (pair === null) throw new Error("a refresh was decided without a rotation key for its time")
  const { reached, narrowedTo, resources } = judged.value
  const answeredScope = narrowedTo ?? reached
  const jwt = issueJwt(live.jwtOf(resources ?? consent.resources), consent, now)
  const rotation = { pair, narrowedTo, resources, answeredScope, jwt, accessSeconds, from: address }
  const next = rotate(consent, family, rotation, now)
  const elevatedUntil = life.state === "active" ? life.elevatedUntil : null
  const response = tokenResponse(pair, consent, next, account, answeredScope, now, jwt)
  return decided(ok({ response, isRepeat: false }), {
    change: "credentialChanged",
    credential: { ...credential, life: { state: "active", family: next, elevatedUntil } },
  })
}

/**
 * Returns the same pair with its remaining time. `scope` is that of the first response, without permissions that are no
 * longer reached. A repeat that names resources must name those of the first response.
 */
function answerAgain(
  catalog: Catalog,
  live: Live,
  retired: Retired,
  rotationInput: RotationInput,
): Decided<Result<Refreshed, Refusal>> {
  const { credential, family, account } = live
  const judged = judgeScope(catalog, live)
  if (!judged.ok) return decided(judged)

  const pair = rotationInput.successor(family.rotatedAt, family.key)
  // The rotation key was deleted or replaced, so the pair cannot be derived again.
  if (pair === null || !sameHash(pair.refreshHash, family.currentHash))
    return decided(err({ reason: "refreshTokenRetired", tokenId: credential.consent.tokenId }))
  if (!isAnswered(credential, family, retired, pair, judged.value.resources))
    return decided(err({ reason: "resourceDiffers" }))
  const reached = new Set(judged.value.reached)
  const scope = retired.answeredScope.filter((name) => reached.has(name))
  const jwt = repeatedJwt(live, retired)
  const response = tokenResponse(pair, credential.consent, family, account, scope, rotationInput.now, jwt)
  return decided(ok({ response, isRepeat: true }), ...repeated(credential, rotationInput))
}

/** Returns the first `iat` and `exp`. A resource that has no JWTs any more has no algorithm. */
function repeatedJwt({ family, jwtOf }: Live, { jwt }: Retired): IssuedJwt | null {
  if (jwt === undefined) return null
  const { resource, expiresAt } = jwt
  const algorithm = jwtOf([resource])?.algorithm ?? "RS256"
  return { resource, algorithm, issuedAt: family.rotatedAt, expiresAt }
}

/** The pair may be valid at more servers than the repeat names, and the response does not say so. RFC 8707 §2.2. */
function isAnswered(
  { consent }: Credential,
  { accessTokens }: Family,
  { jwt }: Retired,
  { accessHash }: TokenPair,
  resources: readonly string[] | null,
): boolean {
  if (resources === null) return true
  if (jwt !== undefined) return isSameAudience(resources, [jwt.resource])
  const answered = accessTokens.find(({ hash }) => sameHash(hash, accessHash))
  return answered !== undefined && isSameAudience(resources, answered.resources ?? consent.resources)
}

type Judged = {
  readonly reached: readonly Permission[]
  /** The value is null if the request does not narrow the scope. */
  readonly narrowedTo: readonly Permission[] | null
  /** The value is null if the request names no resource. */
  readonly resources: readonly string[] | null
}

/**
 * Checks the requested scope against the reach, and the requested audience against the consent. Refuses:
 * scopeMalformed, scopeUnknown, scopeOverReach, resourceMalformed, resourceUnknown.
 */
function judgeScope(
  catalog: Catalog,
  { credential, client, account, scope, audience, spellingOf }: Live,
): Result<Judged, Refusal> {
  const reached = reach(catalog, credential.consent.scope, client, account)
  const narrowed = scope.ok ? narrow(catalog, scope.value, reached) : scope
  if (!narrowed.ok) return narrowed
  const named = narrowedAudience(credential.consent.resources, audience, spellingOf)
  return named.ok ? ok({ reached, narrowedTo: narrowed.value, resources: named.value }) : named
}

function revokedForReuse(
  credential: Credential,
  family: Family,
  { now, address }: RotationInput,
): readonly Change[] {
  const { userId, clientId, tokenId } = credential.consent
  return [
    {
      change: "credentialChanged",
      credential: {
        ...credential,
        life: { state: "revoked", family, revokedAt: now, because: "refresh-token-reused" },
      },
    },
    {
      change: "eventRecorded",
      event: event("refresh-token-reused", now, { userId, clientId, tokenId, address }),
    },
  ]
}
