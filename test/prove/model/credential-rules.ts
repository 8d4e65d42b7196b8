/** Exchange, refresh and revocation: CODE-1…CODE-3, CRED-1…CRED-4, REV-1…REV-5. */
import { authenticated, INVALID_CLIENT, INVALID_GRANT, INVALID_SCOPE, isTold } from "./client-rules.ts"
import { isPastWindow, issuePair, reach, revoke, tellTheTime, tokenResponse } from "./credential-life.ts"
import type { Operation } from "./operation.ts"
import { narrowedTo } from "./permissions.ts"
import type { Told } from "./told.ts"
import { accountOf, type Credential, credentialOf, type World } from "./world.ts"

type Of<K extends Operation["do"]> = Extract<Operation, { readonly do: K }>

export function exchange(world: World, one: Of<"exchange">): Told {
  const app = authenticated(world, one.caller)
  if (isTold(app)) return app
  const credential = credentialOf(world, one.credential)
  if (one.isAltered || credential.app !== app.name) return INVALID_GRANT
  if (credential.isExchanged) {
    // CODE-3, however it is exchanged: what time has ended is told on the way.
    tellTheTime(credential, world.now)
    revoke(credential)
    return INVALID_GRANT
  }
  tellTheTime(credential, world.now)
  const isRight = one.isVerifierRight && one.isRedirectRight
  const isOpen = accountOf(world, credential.account).state === "enabled"
  if (credential.state !== "issued" || !isRight || !isOpen) return INVALID_GRANT
  credential.isExchanged = true
  credential.state = "active"
  issuePair(credential, world.now, "all", reach(world, credential))
  return tokenResponse(world, credential)
}

export function refresh(world: World, one: Of<"refresh">): Told {
  const app = authenticated(world, one.caller)
  if (isTold(app)) return app
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
  if (presented.retiredAt === null) return rotated(world, credential, one.scope)
  return one.generation === generations.length - 1 ? tokenResponse(world, credential) : INVALID_GRANT
}

function rotated(world: World, credential: Credential, scope: string | null): Told {
  const all = reach(world, credential)
  const narrowed = narrowedTo(scope, all)
  if (narrowed === null) return INVALID_SCOPE
  issuePair(credential, world.now, narrowed, narrowed === "all" ? all : narrowed)
  return tokenResponse(world, credential)
}

export function revocation(world: World, one: Of<"revoke">): Told {
  const app = authenticated(world, one.caller)
  if (isTold(app)) return app
  const credential = credentialOf(world, one.credential)
  if (one.isAltered || !isKnownToken(credential, one.token)) return { status: 200 }
  if (credential.app !== app.name) return INVALID_CLIENT
  // 200 promises that it is no good any more.
  tellTheTime(credential, world.now)
  revoke(credential)
  return { status: 200 }
}

/** A refresh token of any generation; an access token while it is remembered. */
function isKnownToken({ name, access }: Credential, token: string): boolean {
  if (token.startsWith("refresh ")) return true
  return access.some(({ generation }) => token === `access ${generation} of ${name}`)
}
