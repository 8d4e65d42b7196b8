/** A credential from its consent to its end: the table in "Credential and refresh" of docs/interface.md. */
import {
  ACCESS_SECONDS,
  ACCESS_TOKENS_AT_MOST,
  AHEAD_SECONDS,
  CODE_SECONDS,
  CREDENTIAL_SECONDS,
  GRACE_SECONDS,
  HALF_MINUTE,
  IDLE_SECONDS,
  SHORT_LIFE_SECONDS,
} from "./limits.ts"
import { both, reachOf } from "./permissions.ts"
import { named, type Expected } from "./expected.ts"
import {
  type Access,
  accessName,
  accountOf,
  appOf,
  type Credential,
  type Generation,
  idName,
  idTokenName,
  refreshName,
  sidName,
  type World,
} from "./world.ts"

/** Whether a code, an access token, an elevation or a device grant is alive according to the clock. */
export function isAlive(until: number, now: number): boolean {
  return now <= until && until - SHORT_LIFE_SECONDS <= now + AHEAD_SECONDS
}

export const endsAt = (credential: Credential) => credential.consentedAt + CREDENTIAL_SECONDS

export function refreshEndsAt(credential: Credential): number {
  return Math.min(credential.rotatedAt + IDLE_SECONDS, endsAt(credential))
}

function isOverByTime(credential: Credential, now: number): boolean {
  if (credential.state === "issued") return !isAlive(credential.consentedAt + CODE_SECONDS, now)
  return credential.state === "active" && now > refreshEndsAt(credential)
}

/**
 * Ends a credential whose time has passed: CRED-4, CODE-2. After the end was reported, setting the clock back does not
 * undo it.
 */
export function tellTheTime(credential: Credential, now: number): void {
  if (isOverByTime(credential, now)) credential.state = "ended"
}

export function isLive(credential: Credential, now: number): boolean {
  return credential.state === "active" && !isOverByTime(credential, now)
}

export function revoke(credential: Credential): void {
  if (credential.state === "active" || credential.state === "issued") credential.state = "revoked"
}

/** Returns what the credential reaches now, without the narrowing of its tokens. */
export function reach(world: World, credential: Credential): readonly string[] {
  return reachOf(credential.consent, appOf(world, credential.app), accountOf(world, credential.account))
}

export function reachOfAccess(world: World, credential: Credential, access: Access): readonly string[] {
  const all = reach(world, credential)
  return access.narrowedTo === null ? all : both(all, access.narrowedTo)
}

/**
 * Whether the grace period of a retired token has ended: CRED-2. A token that seems to be retired in the future has
 * none.
 */
export function isPastWindow({ retiredAt, isPast }: Generation, now: number): boolean {
  if (retiredAt === null) return false
  return isPast || now > retiredAt + GRACE_SECONDS || retiredAt > now + AHEAD_SECONDS
}

/**
 * Deletes the rotation keys: CRED-6. A key is deleted 65 seconds after its half minute, and when the clock is set back
 * by more than the keys made in advance.
 */
export function forgetKeys(credential: Credential, now: number): void {
  const latest = Math.floor((now - AHEAD_SECONDS) / HALF_MINUTE)
  const half = Math.floor(credential.rotatedAt / HALF_MINUTE)
  if (half < latest - 2 || half > latest + 4) credential.isKeyGone = true
}

/** Issues a new pair: one more generation, and an access token that ends the oldest of more than 32. */
export function issuePair(
  credential: Credential,
  now: number,
  narrowed: readonly string[] | "all",
  scope: readonly string[],
): void {
  const { generations } = credential
  for (const generation of generations) if (isPastWindow(generation, now)) generation.isPast = true
  const last = generations.at(-1)
  if (last !== undefined) last.retiredAt = retirement(generations.at(-2), now)
  generations.push({ retiredAt: null, isPast: false, scope })
  credential.rotatedAt = now
  credential.isKeyGone = false
  const access: Access = {
    generation: generations.length,
    issuedAt: now,
    expiresAt: Math.min(now + ACCESS_SECONDS, endsAt(credential)),
    narrowedTo: narrowed === "all" ? null : narrowed,
    isExpiryObserved: false,
  }
  // Expired tokens are forgotten now, so a clock that is set back does not find them.
  const kept = credential.access.filter((one) => !one.isExpiryObserved && isAlive(one.expiresAt, now))
  credential.access = [access, ...kept].slice(0, ACCESS_TOKENS_AT_MOST)
}

/**
 * Returns when the token is retired. If another node's clock is slightly ahead, this is not earlier than the previous
 * retirement.
 */
function retirement(before: Generation | undefined, now: number): number {
  const at = before?.retiredAt ?? now
  return at > now && at <= now + AHEAD_SECONDS ? at : now
}

/** Returns the token response of the current generation. TOK-1…TOK-11. `isFirst` is true for the response to a code. */
export function tokenResponse(world: World, credential: Credential, isFirst = false): Expected {
  const generation = credential.generations.length
  // A credential that was reported as ended has no tokens, whatever the clock says later.
  const access = credential.access.find((one) => one.generation === generation && !one.isExpiryObserved)
  const { name, account } = credential
  // A repeat contains fewer permissions if the reach has shrunk since: AUTH-10.
  const scope = both(credential.generations.at(-1)?.scope ?? [], reach(world, credential))
  return {
    status: 200,
    access_token: named(accessName(name, generation)),
    refresh_token: named(refreshName(name, generation)),
    token_type: "Bearer",
    expires_in: access === undefined ? 0 : access.expiresAt - world.now,
    refresh_expires_in: refreshEndsAt(credential) - world.now,
    refresh_token_timeout: refreshEndsAt(credential) - world.now,
    authorization_expires_in: endsAt(credential) - world.now,
    scope: scope.join(" "),
    token_id: named(idName(name)),
    user_id: named(idName(account)),
    username: named(account),
    ...(scope.includes("openid") && idToken(world, credential, scope, isFirst)),
  }
}

/** Returns the claims of the id_token. What the player verifies itself is not among them: OIDC-2…OIDC-4. */
function idToken(
  world: World,
  { app, account, signIn }: Credential,
  scope: readonly string[],
  isFirst: boolean,
): Expected {
  world.idTokens.set(idTokenName({ app, account }), { app, account, at: world.now })
  return {
    "id sub": named(idName(account)),
    "id aud": named(idName(app)),
    "id alg": appOf(world, app).algorithm,
    "id auth_time": signIn.at,
    "id acr": "2",
    ...(signIn.session !== null && { "id sid": named(sidName(signIn.session)) }),
    ...(isFirst && signIn.nonce !== null && { "id nonce": signIn.nonce }),
    ...(scope.includes("profile") && { "id preferred_username": named(account), "id name": named(account) }),
  }
}
