/** What several choices have in common: who calls, with which token, and who answers. */
import { pick } from "../../test/support/history.ts"
import type { Caller } from "./operation.ts"
import {
  accessName,
  type AccessName,
  accessOf,
  type Account,
  accountOf,
  type App,
  type Credential,
  type Device,
  type World,
} from "./world.ts"

export function asItself({ name, type, secrets }: App, how: number): Caller {
  if (type === "public") return { app: name, secret: "none", nth: 0 }
  return { app: name, secret: how % 3 === 0 ? "basic" : "body", nth: secrets }
}

/** Returns an access token of the generation, by its name. */
export function accessOne(credential: Credential, generation: number, how: number): AccessName {
  const { name } = credential
  return pick(accessOf(credential, generation), how) ?? { token: accessName(name, generation) }
}

/** Returns the account that answers a code. For a step-up, this is usually the account of the credential. */
export function holderOf(world: World, { stepUp }: Device, which: number): Account | undefined {
  const credential = stepUp === null ? undefined : world.credentials.get(stepUp)
  if (credential !== undefined && which % 8 !== 0) return accountOf(world, credential.account)
  return pick([...world.accounts.values()], which)
}
