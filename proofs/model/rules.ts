/** One rule for each operation. It changes the world and returns the expected response. */
import { call, end, introspection } from "./bearer-rules.ts"
import { exchange, refresh, revocation } from "./credential-rules.ts"
import { changeAccount, changeApp, changeGroups } from "./deed-rules.ts"
import { askForDevice, poll, stepUp } from "./device-rules.ts"
import { forgetKeys } from "./credential-life.ts"
import type { Operation } from "./operation.ts"
import { askAgain, authorize } from "./authorize-rules.ts"
import { answer, lookAtCode, openCode, signIn } from "./page-rules.ts"
import { decideStepUp, proveStepUp, showStepUp } from "./step-up-rules.ts"
import type { Expected } from "./expected.ts"
import type { Algorithm } from "./resources.ts"
import type { World } from "./world.ts"

type Rules = {
  readonly [K in Operation["do"]]: (world: World, one: Extract<Operation, { readonly do: K }>) => Expected
}

const rules: Rules = {
  "sign in": signIn,
  authorize,
  "ask again": askAgain,
  answer,
  exchange,
  refresh,
  revoke: revocation,
  introspect: introspection,
  call,
  end,
  "prove a step-up": (world, one) => proveStepUp(world, one) ?? decideStepUp(world, one),
  "decide a step-up": decideStepUp,
  "look at a code": lookAtCode,
  "show a step-up": showStepUp,
  "ask for a device": askForDevice,
  "open a code": openCode,
  poll,
  "step up": stepUp,
  "change account": changeAccount,
  "change app": changeApp,
  "change groups": changeGroups,
  wait,
  "rotate a key": rotateKey,
  restart,
}

export function tell(world: World, one: Operation): Expected {
  return (rules[one.do] as (world: World, one: Operation) => Expected)(world, one)
}

/** Which key signs is not visible to the model. The player finds it in the JWKS of that moment. SIGN-4. */
function rotateKey(world: World, { algorithm, isNow }: { algorithm: Algorithm; isNow: boolean }): Expected {
  if (isNow) world.eras[algorithm]++
  return { status: 200 }
}

/** Waits. The monotonic clock never goes back. */
function wait(world: World, { seconds }: { readonly seconds: number }): Expected {
  world.now += seconds
  world.steady += Math.max(0, seconds)
  for (const credential of world.credentials.values()) forgetKeys(credential, world.now)
  return { status: 200 }
}

/**
 * Restarts the service. Counts in the memory of one process are lost. Counts that nodes share are in their database.
 */
function restart(world: World): Expected {
  if (world.engine === "sqlite") {
    world.tries.clear()
    for (const device of world.devices.values()) {
      device.polledAt = null
      device.earlyPolls = 0
    }
  }
  return { status: 200 }
}
