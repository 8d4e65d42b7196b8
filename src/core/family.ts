/** How the refresh tokens of a credential succeed one another. Interface CRED-1; RFC 9700 §4.14.2. */
import type { Hash, Permission } from "./brand.ts"
import type { AccessToken, Consent, Family } from "./credential.ts"
import { ACCESS_TOKENS_KEPT, IDLE_SECONDS, RETIREMENTS_KEPT } from "./limits.ts"
import type { TokenPair } from "./token-response.ts"

/** The first generation, issued by an exchange. `key` is fresh randomness. */
export function startFamily(
  consent: Consent,
  pair: TokenPair,
  key: string,
  accessSeconds: number,
  now: number,
): Family {
  return {
    generation: 1,
    currentHash: pair.refreshHash,
    retired: null,
    retirements: [],
    key,
    rotatedAt: now,
    accessTokens: [accessToken(consent, pair.accessHash, null, accessSeconds, now)],
  }
}

export type Rotation = {
  readonly pair: TokenPair
  /** The fresh nonce from which, with the retired token's secret, `pair` was derived. */
  readonly nonce: string
  readonly narrowedTo: readonly Permission[] | null
  readonly answeredScope: readonly Permission[]
  readonly accessSeconds: number
}

/** Retires the current generation for the next. The ninth access token ends the oldest. */
export function rotate(consent: Consent, family: Family, rotation: Rotation, now: number): Family {
  const { pair, nonce, narrowedTo, answeredScope, accessSeconds } = rotation
  const issued = accessToken(consent, pair.accessHash, narrowedTo, accessSeconds, now)
  return {
    generation: family.generation + 1,
    currentHash: pair.refreshHash,
    retired: { hash: family.currentHash, nonce, answeredScope },
    retirements: [now, ...family.retirements].slice(0, RETIREMENTS_KEPT),
    key: family.key,
    rotatedAt: now,
    accessTokens: [issued, ...family.accessTokens].slice(0, ACCESS_TOKENS_KEPT),
  }
}

/** An access token never outlives the credential that it belongs to. */
function accessToken(
  consent: Consent,
  hash: Hash,
  narrowedTo: readonly Permission[] | null,
  accessSeconds: number,
  now: number,
): AccessToken {
  const expiresAt = Math.min(now + accessSeconds, consent.endsAt, now + IDLE_SECONDS)
  return { hash, issuedAt: now, expiresAt, narrowedTo }
}
