/** Exchange, refresh and revocation: CODE-1…CODE-4, CRED-1…CRED-4, REV-1…REV-5. */
import {
  authenticated,
  INVALID_CLIENT,
  INVALID_GRANT,
  INVALID_REQUEST,
  INVALID_SCOPE,
  INVALID_TARGET,
  isExpected,
} from "./client-rules.ts"
import {
  isPastWindow,
  issuedAs,
  issuePair,
  reach,
  revoke,
  tellTheTime,
  tokenResponse,
} from "./credential-life.ts"
import type { Operation } from "./operation.ts"
import { isFor, narrowedTo } from "./permissions.ts"
import type { Expected } from "./expected.ts"
import { holds, replaceOlder } from "./remembered-rules.ts"
import { audience } from "./resources.ts"
import { accountOf, type Credential, credentialOf, type World } from "./world.ts"

type Of<K extends Operation["do"]> = Extract<Operation, { readonly do: K }>

export function exchange(world: World, one: Of<"exchange">): Expected {
  const app = authenticated(world, one.caller)
  if (isExpected(app)) return app
  const credential = credentialOf(world, one.credential)
  const refusal = one.verifier === "missing" ? INVALID_REQUEST : INVALID_GRANT
  if (one.isAltered || credential.app !== app.name) return refusal
  if (credential.isExchanged) {
    // CODE-3 and CODE-4 apply whatever else the request contains. If the credential has expired, this is stored too.
    tellTheTime(credential, world.now)
    revoke(credential)
    return refusal
  }
  tellTheTime(credential, world.now)
  const isRight = one.verifier === "right" && one.isRedirectRight
  const isOpen = accountOf(world, credential.account).state === "enabled"
  if (credential.state !== "issued" || !isRight || !isOpen) return refusal
  if (!isFor(app.groups, accountOf(world, credential.account))) {
    revoke(credential)
    return refusal
  }
  const resources = audience(credential, one.resources)
  if (resources === null) return INVALID_TARGET
  credential.isExchanged = true
  credential.state = "active"
  if (!holds(world, credential)) {
    revoke(credential)
    return INVALID_GRANT
  }
  issuePair(world, credential, { narrowed: "all", scope: reach(world, credential), resources })
  replaceOlder(world, credential)
  return tokenResponse(world, credential, true)
}

export function refresh(world: World, one: Of<"refresh">): Expected {
  const app = authenticated(world, one.caller)
  if (isExpected(app)) return app
  const credential = credentialOf(world, one.credential)
  if (one.isAltered || credential.app !== app.name) return INVALID_GRANT
  tellTheTime(credential, world.now)
  if (credential.state !== "active") return INVALID_GRANT
  const { generations } = credential
  const presented = generations[one.generation - 1]
  if (presented === undefined) throw new Error(`${credential.name} has no generation ${one.generation}`)
  if (isPastWindow(presented, world.now)) {
    revoke(credential)
    return INVALID_GRANT
  }
  const isOpen = accountOf(world, credential.account).state === "enabled"
  if (!isOpen) return INVALID_GRANT
  const isCurrent = presented.retiredAt === null
  if (!isCurrent && one.generation !== generations.length - 1) return INVALID_GRANT
  // The same rule applies to a current token and to one that was just retired. AUTH-10.
  const all = reach(world, credential)
  const narrowed = narrowedTo(one.scope, all)
  if (narrowed === null) return INVALID_SCOPE
  const resources = audience(credential, one.resources)
  if (resources === null) return INVALID_TARGET
  if (!isCurrent && credential.isKeyGone) return INVALID_GRANT
  if (isCurrent)
    issuePair(world, credential, { narrowed, scope: narrowed === "all" ? all : narrowed, resources })
  // RES-2.
  else if (one.resources.length > 0 && !isAnswered(credential, resources)) return INVALID_TARGET
  return tokenResponse(world, credential)
}

/** Whether the response that is repeated was for this audience. */
function isAnswered(credential: Credential, resources: readonly string[]): boolean {
  const answered = issuedAs(credential, credential.generations.length)?.resources
  return answered !== undefined && answered.toSorted().join(" ") === resources.toSorted().join(" ")
}

export function revocation(world: World, one: Of<"revoke">): Expected {
  const app = authenticated(world, one.caller)
  if (isExpected(app)) return app
  const credential = credentialOf(world, one.credential)
  if (one.isAltered) return { status: 200 }
  if (credential.app !== app.name) return INVALID_CLIENT
  // A response of 200 promises that the token is no longer valid.
  tellTheTime(credential, world.now)
  revoke(credential)
  return { status: 200 }
}
