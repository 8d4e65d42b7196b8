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
import { type Algorithm, jwtFor } from "./resources.ts"
import {
  type Access,
  accessName,
  accountOf,
  appOf,
  type Credential,
  type Generation,
  idName,
  idTokenName,
  type Jwt,
  jtiName,
  refreshName,
  sidName,
  type World,
} from "./world.ts"

/** Whether a code, an access token, an elevation or a device grant is alive according to the clock. */
export function isAlive(until: number, now: number): boolean {
  return now <= until && until - SHORT_LIFE_SECONDS <= now + AHEAD_SECONDS
}

/** A credential of a remembered consent ends with it. OIDC-16. */
export function endsAt({ consentedAt, remembered }: Credential): number {
  return Math.min(consentedAt + CREDENTIAL_SECONDS, remembered?.endsAt ?? Infinity)
}

export function refreshEndsAt(credential: Credential): number {
  return Math.min(credential.rotatedAt + IDLE_SECONDS, endsAt(credential))
}

function isOverByTime(credential: Credential, now: number): boolean {
  if (credential.state === "issued")
    return !isAlive(Math.min(credential.consentedAt + CODE_SECONDS, endsAt(credential)), now)
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

type Issued = {
  readonly narrowed: readonly string[] | "all"
  readonly scope: readonly string[]
  /** The audience of the access token. */
  readonly resources: readonly string[]
}

/**
 * Issues a new pair: one more generation, and an opaque access token that ends the oldest of more than 32, or a JWT.
 * JWT-2, JWT-5.
 */
export function issuePair(
  world: World,
  credential: Credential,
  { narrowed, scope, resources }: Issued,
): void {
  const { now } = world
  const { generations } = credential
  for (const generation of generations) if (isPastWindow(generation, now)) generation.isPast = true
  const last = generations.at(-1)
  if (last !== undefined) last.retiredAt = retirement(generations.at(-2), now)
  generations.push({ retiredAt: null, isPast: false, scope })
  credential.rotatedAt = now
  credential.isKeyGone = false
  const jwt = jwtFor(resources)
  const access: Access = {
    name: accessName(credential.name, generations.length),
    generation: generations.length,
    issuedAt: now,
    expiresAt: Math.min(now + (jwt?.seconds ?? ACCESS_SECONDS), endsAt(credential)),
    narrowedTo: narrowed === "all" ? null : narrowed,
    resources,
    isExpiryObserved: false,
    jwt: null,
  }
  // Expired tokens are forgotten now, so a clock that is set back does not find them.
  const kept = credential.access.filter((one) => !one.isExpiryObserved && isAlive(one.expiresAt, now))
  credential.access = [...(jwt === null ? [access] : []), ...kept].slice(0, ACCESS_TOKENS_AT_MOST)
  if (jwt !== null) signed(world, credential, access, jwt.algorithm, scope)
}

/**
 * Returns when the token is retired. If another node's clock is slightly ahead, this is not earlier than the previous
 * retirement.
 */
function retirement(before: Generation | undefined, now: number): number {
  const at = before?.retiredAt ?? now
  return at > now && at <= now + AHEAD_SECONDS ? at : now
}

/** Adds the text that the service signs now, which may have been signed before. */
function signed(
  { eras }: World,
  { name, jwts }: Credential,
  access: Access,
  algorithm: Algorithm,
  names: readonly string[],
): Access {
  const [scope, era] = [names.join(" "), eras[algorithm]]
  const { generation } = access
  const jwt: Jwt = { jti: jtiName(name, generation), scope, algorithm, era }
  const token = `${accessName(name, generation)}, a JWT for "${scope}" of key era ${era}`
  const made = { ...access, name: token, narrowedTo: names, jwt }
  if (!jwts.some((one) => one.name === token)) jwts.push(made)
  return made
}

/** Returns the token response of the current generation. TOK-1…TOK-11. `isFirst` is true for the response to a code. */
export function tokenResponse(world: World, credential: Credential, isFirst = false): Expected {
  const generation = credential.generations.length
  // A credential that was reported as ended has no tokens, whatever the clock says later.
  const access = issuedAs(credential, generation)
  const { name, account } = credential
  // A repeat contains fewer permissions if the reach has shrunk since: AUTH-10.
  const scope = both(credential.generations.at(-1)?.scope ?? [], reach(world, credential))
  const algorithm = access?.jwt?.algorithm
  const jwt = algorithm && access && signed(world, credential, access, algorithm, scope)
  return {
    status: 200,
    ...(jwt ? jwtMembers(world, credential, jwt) : { access_token: named(accessName(name, generation)) }),
    refresh_token: named(refreshName(name, generation)),
    token_type: "Bearer",
    expires_in: Math.max(0, access === undefined ? 0 : access.expiresAt - world.now),
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

/** Returns the first token of a generation. One that was reported as expired has no time left. */
export function issuedAs({ access, jwts }: Credential, generation: number): Access | undefined {
  const isOf = (one: Access) => one.generation === generation
  return jwts.find(isOf) ?? access.find((one) => isOf(one) && !one.isExpiryObserved)
}

/** Returns what a JWT access token says. JWT-3. */
function jwtMembers(
  world: World,
  credential: Credential,
  { jwt, issuedAt, expiresAt, resources }: Access,
): Expected {
  if (jwt === null) throw new Error("the access token is no JWT")
  const { app, account, name, consent, signIn } = credential
  return {
    access_token: "a JWT",
    "jwt alg": jwt.algorithm,
    "jwt sub": named(idName(account)),
    "jwt aud": resources.join(" "),
    "jwt client_id": named(idName(app)),
    "jwt token_id": named(idName(name)),
    "jwt jti": named(jwt.jti),
    "jwt iat": issuedAt,
    "jwt exp": expiresAt,
    "jwt scope": jwt.scope,
    ...(jwt.scope.split(" ").includes("groups") && {
      "jwt groups": accountOf(world, account).groups.join(" "),
    }),
    ...(consent.includes("openid") && { "jwt acr": "2", "jwt auth_time": signIn.at }),
  }
}

/** Returns the claims of the id_token. What the player verifies itself is not among them: OIDC-2…OIDC-4. */
function idToken(
  world: World,
  { app, account, signIn }: Credential,
  scope: readonly string[],
  isFirst: boolean,
): Expected {
  const { algorithm } = appOf(world, app)
  const of = { app, account, at: world.now, era: world.eras[algorithm] }
  world.idTokens.set(idTokenName({ app, account }), of)
  return {
    "id sub": named(idName(account)),
    "id aud": named(idName(app)),
    "id alg": algorithm,
    "id auth_time": signIn.at,
    "id acr": "2",
    ...(signIn.session !== null && { "id sid": named(sidName(signIn.session)) }),
    ...(isFirst && signIn.nonce !== null && { "id nonce": signIn.nonce }),
    ...(scope.includes("groups") && { "id groups": accountOf(world, account).groups.join(" ") }),
    ...(scope.includes("profile") && { "id preferred_username": named(account), "id name": named(account) }),
  }
}
