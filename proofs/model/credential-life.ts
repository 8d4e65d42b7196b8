/** A credential between its consent and its end: the table in "Credential and refresh" of docs/interface.md. */
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
  refreshName,
  type World,
} from "./world.ts"

/** Whether a code, an access token, an elevation or a device grant lives, by the clock as it is. */
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

/** CRED-4, CODE-2. The end was answered once, so a clock that is set back does not undo it. */
export function tellTheTime(credential: Credential, now: number): void {
  if (isOverByTime(credential, now)) credential.state = "ended"
}

export function isLive(credential: Credential, now: number): boolean {
  return credential.state === "active" && !isOverByTime(credential, now)
}

export function revoke(credential: Credential): void {
  if (credential.state === "active" || credential.state === "issued") credential.state = "revoked"
}

/** What the credential reaches now, whatever its tokens were narrowed to. */
export function reach(world: World, credential: Credential): readonly string[] {
  const { ceiling } = appOf(world, credential.app)
  return reachOf(credential.consent, ceiling, accountOf(world, credential.account).isAdmin)
}

export function reachOfAccess(world: World, credential: Credential, access: Access): readonly string[] {
  const all = reach(world, credential)
  return access.narrowedTo === null ? all : both(all, access.narrowedTo)
}

/** CRED-2: the window of a retired token is over. What seems to be retired in the future has none. */
export function isPastWindow({ retiredAt, isPast }: Generation, now: number): boolean {
  if (retiredAt === null) return false
  return isPast || now > retiredAt + GRACE_SECONDS || retiredAt > now + AHEAD_SECONDS
}

/**
 * CRED-6: what the last answer was derived from is deleted 65 seconds after its half minute, and where the clock is set back
 * by more than what is made ahead.
 */
export function forgetKeys(credential: Credential, now: number): void {
  const latest = Math.floor((now - AHEAD_SECONDS) / HALF_MINUTE)
  const half = Math.floor(credential.rotatedAt / HALF_MINUTE)
  if (half < latest - 2 || half > latest + 4) credential.isKeyGone = true
}

/** A new pair: one more generation, and an access token that pushes out the oldest of more than 32. */
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
  // What had expired by now is forgotten; so a clock that is set back finds nothing of it.
  const kept = credential.access.filter((one) => !one.isExpiryObserved && isAlive(one.expiresAt, now))
  credential.access = [access, ...kept].slice(0, ACCESS_TOKENS_AT_MOST)
}

/** Where another node's clock is a little ahead, nothing is retired before what was retired earlier. */
function retirement(before: Generation | undefined, now: number): number {
  const at = before?.retiredAt ?? now
  return at > now && at <= now + AHEAD_SECONDS ? at : now
}

/** TOK-1…TOK-11, of the generation in force. */
export function tokenResponse(world: World, credential: Credential): Expected {
  const generation = credential.generations.length
  // A credential that was answered as ended keeps nothing, whatever the clock says by then.
  const access = credential.access.find((one) => one.generation === generation && !one.isExpiryObserved)
  const { name, account } = credential
  return {
    status: 200,
    access_token: named(accessName(name, generation)),
    refresh_token: named(refreshName(name, generation)),
    token_type: "Bearer",
    expires_in: access === undefined ? 0 : access.expiresAt - world.now,
    refresh_expires_in: refreshEndsAt(credential) - world.now,
    refresh_token_timeout: refreshEndsAt(credential) - world.now,
    authorization_expires_in: endsAt(credential) - world.now,
    // A repeat says less where the reach has shrunk since: AUTH-10.
    scope: both(credential.generations.at(-1)?.scope ?? [], reach(world, credential)).join(" "),
    token_id: named(idName(name)),
    user_id: named(idName(account)),
    username: named(account),
  }
}
