/** The rules for access tokens: INTRO-1, INTRO-2, API-1, API-2, API-5, AUTH-9. */
import {
  endsAt,
  isAlive,
  isLive,
  reachOfAccess,
  refreshEndsAt,
  revoke,
  tellTheTime,
} from "./credential-life.ts"
import { refused } from "./client-rules.ts"
import { DAY } from "./limits.ts"
import type { Operation, Presented } from "./operation.ts"
import { named, type Expected } from "./expected.ts"
import { endRemembered } from "./remembered-rules.ts"
import { isForService } from "./resources.ts"
import { type Access, accountOf, appOf, type Credential, credentialOf, idName, type World } from "./world.ts"

type Of<K extends Operation["do"]> = Extract<Operation, { readonly do: K }>
type Bearer = { readonly credential: Credential; readonly access: Access }

/** Returns null if the token is not valid now, for any reason. */
export function bearer(world: World, one: Presented & { readonly credential: string }): Bearer | null {
  const credential = credentialOf(world, one.credential)
  const access = [...credential.access, ...credential.jwts].find(({ name }) => name === one.token)
  if (one.isAltered || access === undefined || isWithdrawn(world, access)) return null
  const isExpired = access.isExpiryObserved || !isAlive(access.expiresAt, world.now)
  if (!isLive(credential, world.now) || isExpired) {
    // The response says that the credential has ended, so it must stay ended.
    tellTheTime(credential, world.now)
    // A JWT is not stored, so only its own end counts. JWT-5.
    if (isExpired && access.jwt === null) access.isExpiryObserved = true
    return null
  }
  const isOpen =
    accountOf(world, credential.account).state === "enabled" &&
    appOf(world, credential.app).state === "enabled"
  return isOpen ? { credential, access } : null
}

/** Whether the key of a JWT was withdrawn. JWT-4. */
function isWithdrawn({ eras }: World, { jwt }: Access): boolean {
  return jwt !== null && jwt.era < eras[jwt.algorithm]
}

/** The API of the service takes no token that is for others. JWT-7. */
function ownBearer(world: World, one: Presented & { readonly credential: string }): Bearer | null {
  const found = bearer(world, one)
  return found !== null && isForService(found.access.resources) ? found : null
}

export function elevatedUntil(world: World, credential: Credential): number | null {
  const until = credential.elevatedUntil
  if (until === null) return null
  if (isAlive(until, world.now)) return until
  credential.elevatedUntil = null
  return null
}

export function introspection(world: World, one: Of<"introspect">): Expected {
  const found = bearer(world, one)
  if (found === null) return { status: 200, active: false }
  const { credential, access } = found
  const until = elevatedUntil(world, credential)
  return {
    status: 200,
    active: true,
    scope: reachOfAccess(world, credential, access).join(" "),
    client_id: named(idName(credential.app)),
    username: named(credential.account),
    account_type: "person",
    groups: accountOf(world, credential.account).groups.join(" "),
    token_type: "Bearer",
    exp: access.expiresAt,
    iat: access.issuedAt,
    sub: named(idName(credential.account)),
    ...(access.resources.length > 0 && { aud: access.resources.join(" ") }),
    iss: "the issuer",
    token_id: named(idName(credential.name)),
    ...(until !== null && { elevated_until: until }),
  }
}

const apiRefused = (status: number, error: string): Expected => ({ status, error })
const UNAUTHENTICATED = apiRefused(401, "UNAUTHENTICATED")

export function call(world: World, one: Of<"call">): Expected {
  const found = ownBearer(world, one)
  if (found === null) return one.what === "userinfo" ? refused(401, "invalid_token") : UNAUTHENTICATED
  const may = reachOfAccess(world, found.credential, found.access)
  switch (one.what) {
    case "credential":
      return ownCredential(world, found)
    case "account":
      return may.includes("account:read")
        ? ownAccount(world, found.credential)
        : apiRefused(403, "PERMISSION_DENIED")
    case "userinfo":
      return may.includes("openid")
        ? userinfo(world, found.credential, may)
        : refused(403, "insufficient_scope")
    case "end": {
      const left = checked(world, one)
      if (left === null) throw new Error("this call is no end")
      return "do" in left ? end(world, left as Of<"end">) : left
    }
  }
}

function ownCredential(world: World, { credential, access }: Bearer): Expected {
  return {
    status: 200,
    token_id: named(idName(credential.name)),
    client_id: named(idName(credential.app)),
    client_name: credential.app,
    user_id: named(idName(credential.account)),
    username: named(credential.account),
    installation_name: null,
    scope: credential.consent.join(" "),
    reach: reachOfAccess(world, credential, access).join(" "),
    consented_at: credential.consentedAt,
    access_ends_at: access.expiresAt,
    // The time must not show when the credential rotated. CRED-5.
    refresh_ends_at: midnight(refreshEndsAt(credential)),
    ends_at: midnight(endsAt(credential)),
    elevated_until: elevatedUntil(world, credential),
  }
}

const midnight = (at: number) => at - (at % DAY)

function ownAccount(world: World, { account }: Credential): Expected {
  const { isAdmin, groups } = accountOf(world, account)
  return {
    status: 200,
    user_id: named(idName(account)),
    username: named(account),
    admin: isAdmin,
    groups: groups.join(" "),
    language: null,
  }
}

/** OIDC-3. No account has an e-mail address. */
function userinfo(world: World, { account }: Credential, may: readonly string[]): Expected {
  return {
    status: 200,
    sub: named(idName(account)),
    ...(may.includes("groups") && { groups: accountOf(world, account).groups.join(" ") }),
    ...(may.includes("profile") && { preferred_username: named(account), name: named(account) }),
  }
}

/** Ending another credential needs a recent factor: API-5. Returns null if the operation is allowed. */
function mayEnd(world: World, own: Credential, one: Of<"call">): Expected | null {
  return own.name !== one.target && elevatedUntil(world, own) === null
    ? apiRefused(400, "FAILED_PRECONDITION")
    : null
}

/**
 * A credential of another account gets the response of an unknown one. What an app ends of its own leaves a remembered
 * consent. The word for another one ends it, also where that credential was over: OIDC-17.
 */
export function end(world: World, one: Of<"end">): Expected {
  const target = credentialOf(world, one.target)
  if (target.account !== one.account) return apiRefused(404, "NOT_FOUND")
  tellTheTime(target, world.now)
  revoke(target)
  const { remembered } = target
  if (!one.isOwn && remembered !== null) endRemembered(world, ({ name }) => name === remembered.name)
  return { status: 204 }
}

/**
 * A call has two moments: its token is checked, and then the operation runs. What happens between the two is not
 * visible. Returns null if the call ends with the check. Otherwise returns the rest of the call or its refusal.
 */
export function checked(world: World, one: Operation): Of<"end"> | Expected | null {
  if (one.do !== "call" || one.what !== "end") return null
  const found = ownBearer(world, one)
  if (found === null) return UNAUTHENTICATED
  const { credential, access } = found
  if (!reachOfAccess(world, credential, access).includes("credentials:write"))
    return apiRefused(403, "PERMISSION_DENIED")
  const { account } = credential
  const isOwn = credential.name === one.target
  return mayEnd(world, credential, one) ?? { do: "end", account, target: one.target, isOwn }
}
