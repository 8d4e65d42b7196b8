/** The token family: how refresh tokens of a credential follow each other. Interface CRED-1; RFC 9700 §4.14.2. */
import type { Hash, Permission } from "../../kernel/ids.ts"
import {
  type AccessToken,
  type Consent,
  type Family,
  NO_REPEATS,
  type Retirement,
} from "../../records/credential.rules.ts"
import { ACCESS_TOKENS_KEPT, GRACE_SECONDS, IDLE_SECONDS, RETIREMENTS_KEPT } from "../../kernel/limits.ts"
import { isAlive, isFarAhead, isPast } from "../../kernel/time.ts"
import type { TokenPair } from "./token-response.rules.ts"

/** The first generation, issued by an exchange that came `from` an address. `key` is fresh randomness. */
export function startFamily(
  consent: Consent,
  pair: TokenPair,
  key: string,
  accessSeconds: number,
  now: number,
  from: string | null,
): Family {
  return {
    generation: 1,
    currentHash: pair.refreshHash,
    retired: null,
    retirements: [],
    key,
    rotatedAt: now,
    rotatedFrom: from,
    accessTokens: [accessToken(consent, pair.accessHash, null, accessSeconds, now)],
    repeats: NO_REPEATS,
  }
}

export type Rotation = {
  readonly pair: TokenPair
  readonly narrowedTo: readonly Permission[] | null
  readonly answeredScope: readonly Permission[]
  readonly accessSeconds: number
  /** The network address that asked for it. */
  readonly from: string | null
}

/**
 * Retires the current generation for the next. Expired access tokens are dropped; past `ACCESS_TOKENS_KEPT` the oldest
 * ends.
 */
export function rotate(consent: Consent, family: Family, rotation: Rotation, now: number): Family {
  const { pair, narrowedTo, answeredScope, accessSeconds, from } = rotation
  const issued = accessToken(consent, pair.accessHash, narrowedTo, accessSeconds, now)
  return {
    generation: family.generation + 1,
    currentHash: pair.refreshHash,
    retired: { hash: family.currentHash, answeredScope },
    retirements: retire(family, now),
    key: family.key,
    rotatedAt: now,
    rotatedFrom: from,
    accessTokens: [issued, ...family.accessTokens.filter(({ expiresAt }) => isAlive(expiresAt, now))].slice(
      0,
      ACCESS_TOKENS_KEPT,
    ),
    repeats: family.repeats,
  }
}

/**
 * The retirements, with that of the current generation: one entry a second while the grace period is open, and one
 * entry for all older ones. Every retirement that matters is known to the second, however many rotations there were. An
 * app that refreshes hourly keeps two entries.
 */
function retire({ generation, retirements }: Family, now: number): readonly Retirement[] {
  const [newest] = retirements
  // The clocks of nodes differ: a retirement is never earlier than the one before it.
  const retiredAt = newest !== undefined && newest.at > now && !isFarAhead(newest.at, now) ? newest.at : now
  const before = newest?.at === retiredAt ? retirements.slice(1) : retirements
  const place = before.findIndex(({ at }) => isOutOfWindow(at, now))
  const over = before[place]
  const kept =
    over === undefined ? before : [...before.slice(0, place), { generation: over.generation, at: OVER }]
  return [{ generation, at: retiredAt }, ...kept].slice(0, RETIREMENTS_KEPT)
}

/** In place of an instant: the grace period has ended, and setting the clock back does not open it again. */
const OVER = 0

/**
 * Whether a retirement's grace period has ended. A retirement slightly in the future comes from a node with a fast
 * clock. One further in the future means that the clock was set back: its grace period has ended.
 */
export function isOutOfWindow(retiredAt: number, now: number): boolean {
  return isFarAhead(retiredAt, now) || isPast(retiredAt + GRACE_SECONDS, now)
}

/** An access token never outlives its credential. */
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
