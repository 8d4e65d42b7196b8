/**
 * A refresh, decided: RFC 6749 §6, RFC 9700 §4.14.2; interface CRED-1, CRED-2, AUTH-6…AUTH-8.
 * An error never rotates, and the answer inside the grace window is the very one that was given before.
 */
import type { Account } from "./account.ts"
import { type Change, type Decided, decided } from "./change.ts"
import type { Client } from "./client.ts"
import { type Credential, asOf, type Family, familyOf, type Retired } from "./credential.ts"
import { decideCredential, presentedEvent } from "./credential-table.ts"
import { event } from "./event.ts"
import { rotate } from "./family.ts"
import type { Catalogue } from "./permission-catalogue.ts"
import { reach } from "./reach.ts"
import { classify, type PresentedRefreshToken } from "./refresh-token.ts"
import { accept, refuse, type Result } from "./result.ts"
import { narrow } from "./scope.ts"
import { type TokenPair, type TokenResponse, tokenResponse } from "./token-response.ts"
import { toldOf } from "./told.ts"

export type Refresh = {
  readonly client: Client
  readonly credential: Credential | null
  readonly account: Account | null
  /** Null where the text is no refresh token at all. */
  readonly token: PresentedRefreshToken | null
  /** The names in `scope`; null where it is omitted. */
  readonly asked: readonly string[] | null
}

export type Succession = {
  readonly now: number
  readonly address: string
  readonly accessSeconds: number
  /** Fresh randomness for a new rotation. */
  readonly nonce: string
  /** Derives the successor of the presented token. Pure: the same nonce and key give the same pair. */
  readonly successor: (nonce: string, familyKey: string) => TokenPair
}

type Live = {
  readonly credential: Credential
  readonly family: Family
  readonly client: Client
  readonly account: Account
}

/**
 * Refuses: refreshTokenUnknown, refreshTokenOfAnotherClient, refreshTokenRetired, refreshTokenReused (and revokes),
 * credentialRevoked, credentialEnded, accountUnavailable; scopeUnknown, scopeOverReach.
 */
export function decideRefresh(
  catalogue: Catalogue,
  { client, credential, account, token, asked }: Refresh,
  succession: Succession,
): Decided<Result<TokenResponse>> {
  const { now } = succession
  const stored = credential === null ? null : familyOf(credential)
  if (credential === null || token === null || stored === null)
    return decided(refuse({ reason: "refreshTokenUnknown" }))
  const { tokenId, clientId } = credential.consent
  if (clientId !== client.clientId) return decided(refuse({ reason: "refreshTokenOfAnotherClient", tokenId }))

  const seen = asOf(credential, now)
  const presented = classify(stored, token, now)
  const decision = decideCredential(seen, presentedEvent(presented, stored.retired))
  const live =
    account === null || !account.enabled ? null : { credential: seen, family: stored, client, account }
  switch (decision.decision) {
    case "refuse":
      return decided(
        refuse(decision.refusal),
        ...(presented === "neverIssued" ? [] : toldOf(credential, seen)),
      )
    case "revoke":
      return decided(
        refuse(decision.refusal ?? { reason: "credentialRevoked", tokenId }),
        ...revokedForReuse(seen, stored, succession),
      )
    case "leave":
      return decided(refuse({ reason: "credentialRevoked", tokenId }))
    case "answerAgain":
      if (live === null) return decided(refuse({ reason: "accountUnavailable", tokenId }))
      return decided(accept(answerAgain(live, decision.retired, succession)))
    case "rotate":
      if (live === null) return decided(refuse({ reason: "accountUnavailable", tokenId }))
      return rotateOnce(catalogue, live, asked, succession)
  }
}

function rotateOnce(
  catalogue: Catalogue,
  { credential, family, client, account }: Live,
  asked: readonly string[] | null,
  { now, address, nonce, accessSeconds, successor }: Succession,
): Decided<Result<TokenResponse>> {
  const { consent, life } = credential
  const reached = reach(catalogue, consent.scope, client.ceiling, account.admin)
  const narrowed = narrow(catalogue, asked, reached)
  if (!narrowed.ok) return decided(narrowed)

  const pair = successor(nonce, family.key)
  const narrowedTo = narrowed.value
  const answeredScope = narrowedTo ?? reached
  const rotation = { pair, nonce, narrowedTo, answeredScope, accessSeconds, from: address }
  const next = rotate(consent, family, rotation, now)
  const elevatedUntil = life.state === "active" ? life.elevatedUntil : null
  return decided(accept(tokenResponse(pair, consent, next, account, answeredScope, now)), {
    change: "credentialChanged",
    credential: { ...credential, life: { state: "active", family: next, elevatedUntil } },
  })
}

/** The same pair, the same scope, and what remains of their time. Nothing is written. */
function answerAgain(
  { credential, family, account }: Live,
  retired: Retired,
  { now, successor }: Succession,
): TokenResponse {
  const pair = successor(retired.nonce, family.key)
  return tokenResponse(pair, credential.consent, family, account, retired.answeredScope, now)
}

function revokedForReuse(
  credential: Credential,
  family: Family,
  { now, address }: Succession,
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
