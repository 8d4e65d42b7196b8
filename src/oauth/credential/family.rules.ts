/** The token family: all refresh tokens of a credential, in order. Interface CRED-1; RFC 9700 §4.14.2. */
import type { Hash, Permission } from "../../kernel/ids.ts"
import {
  type AccessToken,
  type Consent,
  type Family,
  NO_REPEATS,
  type Retirement,
} from "../../model/credential.rules.ts"
import { ACCESS_TOKENS_KEPT, GRACE_SECONDS, IDLE_SECONDS, RETIREMENTS_KEPT } from "../../kernel/limits.ts"
import type { IssuedJwt } from "../jwt/access-token.rules.ts"
import { isAlive, isFarAhead, isPast } from "../../kernel/time.ts"
import type { TokenPair } from "./token-response.rules.ts"

/** Creates the first generation. `key` is a new random key. `from` is the network address of the app. */
export function startFamily(
  consent: Consent,
  pair: TokenPair,
  key: string,
  accessSeconds: number,
  now: number,
  from: string | null,
  resources: readonly string[] | null = null,
  jwt: IssuedJwt | null = null,
): Family {
  return {
    generation: 1,
    currentHash: pair.refreshHash,
    retired: null,
    retirements: [],
    key,
    rotatedAt: now,
    rotatedFrom: from,
    // A JWT is not stored.
    accessTokens:
      jwt === null
        ? [accessToken(consent, pair.accessHash, { narrowedTo: null, resources }, accessSeconds, now)]
        : [],
    repeats: NO_REPEATS,
  }
}

export type Rotation = {
  readonly pair: TokenPair
  readonly narrowedTo: readonly Permission[] | null
  readonly resources?: readonly string[] | null
  readonly answeredScope: readonly Permission[]
  /** The access token if it is a JWT. A repeat makes it again from these facts. */
  readonly jwt?: IssuedJwt | null
  readonly accessSeconds: number
  /** The network address from which the app refreshed. */
  readonly from: string | null
}

/** Starts the next generation. Removes expired access tokens, and the oldest tokens above `ACCESS_TOKENS_KEPT`. */
export function rotate(consent: Consent, family: Family, rotation: Rotation, now: number): Family {
  const { pair, narrowedTo, resources = null, answeredScope, jwt = null, accessSeconds, from } = rotation
  const token = { narrowedTo, resources }
  const issued = jwt === null ? accessToken(consent, pair.accessHash, token, accessSeconds, now) : null
  const signed = jwt === null ? {} : { jwt: { resource: jwt.resource, expiresAt: jwt.expiresAt } }
  return {
    generation: family.generation + 1,
    currentHash: pair.refreshHash,
    retired: { hash: family.currentHash, answeredScope, ...signed },
    retirements: retire(family, now),
    key: family.key,
    rotatedAt: now,
    rotatedFrom: from,
    accessTokens: tokensWith(family, issued, now),
    repeats: family.repeats,
  }
}

/** Adds an access token that is issued without a refresh. `token` is null for a JWT, which is not stored. */
export function withAccessToken(
  family: Family,
  token: AccessToken | null,
  from: string,
  now: number,
): Family {
  return { ...family, rotatedAt: now, rotatedFrom: from, accessTokens: tokensWith(family, token, now) }
}

function tokensWith({ accessTokens }: Family, token: AccessToken | null, now: number): AccessToken[] {
  const live = accessTokens.filter(({ expiresAt }) => isAlive(expiresAt, now))
  return (token === null ? live : [token, ...live]).slice(0, ACCESS_TOKENS_KEPT)
}

/** Ends all tokens of a family that has no refresh token. A JWT is not stored, so that `areTokensEnded` knows it by its time. */
export function withoutTokens(family: Family, now: number): Family {
  const { generation } = family
  return { ...family, generation: generation + 1, retirements: retire(family, now), accessTokens: [] }
}

/**
 * Records that the current generation is retired. Retirements of the same second share an entry. All retirements whose
 * grace period has ended share one more entry. An app that refreshes every hour therefore stores two entries.
 */
function retire({ generation, retirements }: Family, now: number): readonly Retirement[] {
  const [newest] = retirements
  // The clocks of nodes differ a little. If the previous retirement has a slightly later time, this retirement gets the
  // same time.
  const retiredAt = newest !== undefined && newest.at > now && !isFarAhead(newest.at, now) ? newest.at : now
  const before = newest?.at === retiredAt ? retirements.slice(1) : retirements
  const place = before.findIndex(({ at }) => isOutOfWindow(at, now))
  const over = before[place]
  const kept =
    over === undefined ? before : [...before.slice(0, place), { generation: over.generation, at: OVER }]
  return [{ generation, at: retiredAt }, ...kept].slice(0, RETIREMENTS_KEPT)
}

/** Replaces the time of a retirement after its grace period. Setting the clock back then does not reopen it. */
const OVER = 0

/**
 * Whether the grace period of a retirement has ended. A time slightly in the future comes from a node with a fast
 * clock. If the time is far in the future, the clock was set back, and the period counts as ended.
 */
export function isOutOfWindow(retiredAt: number, now: number): boolean {
  return isFarAhead(retiredAt, now) || isPast(retiredAt + GRACE_SECONDS, now)
}

/** Creates an access token. It does not outlive its credential. */
function accessToken(
  consent: Consent,
  hash: Hash,
  {
    narrowedTo,
    resources,
  }: Pick<AccessToken, "narrowedTo"> & { readonly resources: readonly string[] | null },
  accessSeconds: number,
  now: number,
): AccessToken {
  const expiresAt = Math.min(now + accessSeconds, consent.endsAt, now + IDLE_SECONDS)
  return { hash, issuedAt: now, expiresAt, narrowedTo, ...(resources !== null && { resources }) }
}
