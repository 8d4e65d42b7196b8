/**
 * Decides on the exchange of an authorization code. RFC 6749 §4.1.3; interface CODE-1…CODE-4. The checks run in this
 * order: client, owner of the code, state, redirect URI, verifier, account. A failed check does not use up the code.
 */
import type { Account } from "../../../model/account.rules.ts"
import { decideCode } from "./authorization-code.rules.ts"
import type { Hash } from "../../../kernel/ids.ts"
import { type Change, type Decided, decided, eventRecorded } from "../../../model/change.rules.ts"
import type { Client } from "../../../model/clients/client.rules.ts"
import { sameHash } from "../../../kernel/constant-time.ts"
import { asOf, type Credential } from "../../../model/credential.rules.ts"
import {
  anyResource,
  type JwtOf,
  noJwt,
  type ResourceSpelling,
} from "../../../model/known-resources.rules.ts"
import { narrowedAudience, type RequestedAudience } from "../../credential/audience.rules.ts"
import { issueJwt } from "../../jwt/access-token.rules.ts"
import { startFamily } from "../../credential/family.rules.ts"
import type { Catalog } from "../../../model/permissions/permission-catalog.rules.ts"
import { admits } from "../../../model/permissions/standing.rules.ts"
import { verifies } from "../../credential/pkce.rules.ts"
import { reach } from "../../../model/permissions/reach.rules.ts"
import type { Refusal } from "../../../model/refusals/refusal.rules.ts"
import { type Result, err, ok } from "../../../kernel/result.ts"
import { persistObservedExpiry } from "../../credential/observed-expiry.rules.ts"
import {
  type TokenResponse,
  tokenResponse,
  type TokenIssueInput,
} from "../../credential/token-response.rules.ts"

export type Exchange = {
  readonly client: Client
  readonly credential: Credential | null
  readonly account: Account | null
  readonly codeHash: Hash
  readonly proof: Result<ExchangeProof, Refusal>
  /** The member is missing if the request names no resource. */
  readonly audience?: RequestedAudience | undefined
  readonly spellingOf?: ResourceSpelling
  readonly jwtOf?: JwtOf
}

export type ExchangeProof = {
  readonly redirectUri: string
  /** The SHA-256 of the presented verifier. The value is null if the text cannot be a verifier. */
  readonly verifierHash: Hash | null
}

/**
 * Decides on an exchange. A malformed request gets its own error, regardless of the state of its code. A replay by the
 * app that owns the code revokes the credential (CODE-4). Refuses: every reason of `proof`; codeUnknown,
 * codeOfAnotherClient, codeExpired, codeReplayed (and revokes), codeVoid, redirectUriDiffers, verifierWrong,
 * accountUnavailable, appNotForAccount (and revokes), resourceMalformed, resourceUnknown.
 */
export function decideExchange(
  catalog: Catalog,
  exchange: Exchange,
  issueInput: TokenIssueInput,
): Decided<Result<TokenResponse, Refusal>> {
  const { proof } = exchange
  const judged = judgeCode(catalog, exchange, issueInput)
  return proof.ok ? judged : decided<Result<TokenResponse, Refusal>>(proof, ...judged.changes)
}

function judgeCode(
  catalog: Catalog,
  exchange: Exchange,
  issueInput: TokenIssueInput,
): Decided<Result<TokenResponse, Refusal>> {
  const { client, credential, codeHash, account } = exchange
  const { now } = issueInput
  if (credential === null || credential.code === null || !sameHash(credential.code.hash, codeHash))
    return decided(err({ reason: "codeUnknown" }))
  const { tokenId, clientId } = credential.consent
  if (clientId !== client.clientId) return decided(err({ reason: "codeOfAnotherClient", tokenId }))

  const seen = asOf(credential, now)
  const observed = persistObservedExpiry(credential, seen)
  const wrong = whatIsWrong(exchange, seen)
  const decision = decideCode(
    seen,
    wrong === null ? { event: "exchanged" } : { event: "exchangedWrongly", refusal: wrong },
  )
  switch (decision.decision) {
    case "refuse":
      return decided(err(decision.refusal), ...observed)
    case "revoke":
      return decided(err(decision.refusal), ...observed, ...revokeForReplay(seen, issueInput))
    case "mint":
      if (account === null || !account.enabled) return decided(err({ reason: "accountUnavailable", tokenId }))
      if (!admits(client.groups, account))
        return decided(err({ reason: "appNotForAccount", tokenId }), ...revokeForGroups(seen, issueInput))
      return mint(catalog, seen, exchange, account, issueInput)
  }
}

/** The account may not connect the app now, and this code is no promise for later. GROUP-6. */
function revokeForGroups(credential: Credential, { now, address }: TokenIssueInput): readonly Change[] {
  const { userId, clientId, tokenId } = credential.consent
  const because = "not-for-account"
  return [
    {
      change: "credentialChanged",
      credential: { ...credential, life: { state: "revoked", family: null, revokedAt: now, because } },
    },
    eventRecorded("credential-revoked", now, { userId, clientId, tokenId, address, detail: because }),
  ]
}

function whatIsWrong({ credential, proof }: Exchange, seen: Credential): Refusal | null {
  if (!proof.ok) return proof.error
  const { redirectUri, verifierHash } = proof.value
  const { tokenId } = seen.consent
  const code = credential?.code
  if (code?.redirectUri !== redirectUri) return { reason: "redirectUriDiffers", tokenId }
  if (verifierHash === null || !verifies(code.challenge, verifierHash))
    return { reason: "verifierWrong", tokenId }
  return null
}

function mint(
  catalog: Catalog,
  credential: Credential,
  { client, audience = ok(null), spellingOf = anyResource, jwtOf = noJwt }: Exchange,
  account: Account,
  { now, address, accessSeconds, familyKey, pair }: TokenIssueInput,
): Decided<Result<TokenResponse, Refusal>> {
  const { consent } = credential
  const named = narrowedAudience(consent.resources, audience, spellingOf)
  if (!named.ok) return decided(named)
  const jwt = issueJwt(jwtOf(named.value ?? consent.resources), consent, now)
  const family = startFamily(consent, pair, familyKey, accessSeconds, now, address, named.value, jwt)
  const scope = reach(catalog, consent.scope, client, account)
  const { userId, clientId, tokenId } = consent
  return decided(
    ok(tokenResponse(pair, consent, family, account, scope, now, jwt)),
    {
      change: "credentialChanged",
      credential: { ...credential, life: { state: "active", family, elevatedUntil: null } },
    },
    eventRecorded("code-exchanged", now, { userId, clientId, tokenId, address }),
  )
}

/** Revokes the credential of the first exchange. A credential that has ended does not change. */
function revokeForReplay(credential: Credential, { now, address }: TokenIssueInput): readonly Change[] {
  const { consent, life } = credential
  if (life.state !== "active") return []
  const { userId, clientId, tokenId } = consent
  return [
    {
      change: "credentialChanged",
      credential: {
        ...credential,
        life: { state: "revoked", family: life.family, revokedAt: now, because: "code-replayed" },
      },
    },
    eventRecorded("code-replayed", now, { userId, clientId, tokenId, address }),
  ]
}
