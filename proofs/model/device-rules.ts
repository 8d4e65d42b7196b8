/** Devices without a browser, and step-ups: DAUTH-1…DAUTH-3, DG-1…DG-9, STEP-1, STEP-3…STEP-5. */
import { bearer } from "./bearer-rules.ts"
import {
  authenticated,
  INVALID_GRANT,
  INVALID_SCOPE,
  INVALID_TARGET,
  isExpected,
  refused,
} from "./client-rules.ts"
import { isAlive, isLive, issuePair, reach, tellTheTime, tokenResponse } from "./credential-life.ts"
import { deviceAsOf, paced } from "./device-life.ts"
import { DEVICE_SECONDS, POLL_SECONDS } from "./limits.ts"
import type { Operation } from "./operation.ts"
import { deviceCredential } from "./page-rules.ts"
import { askedFor, isFor } from "./permissions.ts"
import { audience, spelledAll } from "./resources.ts"
import { named, type Expected } from "./expected.ts"
import {
  accountOf,
  type App,
  appOf,
  credentialOf,
  type Device,
  deviceCodeName,
  deviceOf,
  userCodeName,
  type World,
} from "./world.ts"

type Of<K extends Operation["do"]> = Extract<Operation, { readonly do: K }>

export function askForDevice(world: World, one: Of<"ask for a device">): Expected {
  const app = authenticated(world, one.caller)
  if (isExpected(app)) return app
  // What is no URL is refused with the form of the request.
  if (!one.resources.every((resource) => URL.canParse(resource))) return INVALID_TARGET
  const asked = askedFor(one.scope, app.ceiling)
  if (asked === null) return INVALID_SCOPE
  const resources = spelledAll(one.resources)
  return resources === null ? INVALID_TARGET : opened(world, one.device, app.name, { asked, resources }, null)
}

export function stepUp(world: World, one: Of<"step up">): Expected {
  const found = bearer(world, one)
  if (found === null) return refused(401, "invalid_token")
  const { app, name } = found.credential
  if (!appOf(world, app).mayStepUp) return refused(403, "access_denied")
  return opened(world, one.device, app, { asked: [], resources: [] }, name)
}

function opened(
  world: World,
  name: string,
  app: string,
  { asked, resources }: Pick<Device, "asked" | "resources">,
  forStepUp: string | null,
): Expected {
  const device: Device = {
    name,
    app,
    stepUp: forStepUp,
    asked,
    resources,
    askedAt: world.now,
    state: "pending",
    answeredBy: null,
    approvedAt: 0,
    granted: [],
    signedInAt: 0,
    polledAt: null,
    earlyPolls: 0,
  }
  world.devices.set(name, device)
  return {
    status: 200,
    device_code: named(deviceCodeName(name)),
    user_code: named(userCodeName(name)),
    expires_in: DEVICE_SECONDS,
    interval: POLL_SECONDS,
  }
}

export function poll(world: World, one: Of<"poll">): Expected {
  const app = authenticated(world, one.caller)
  if (isExpected(app)) return app
  const device = deviceOf(world, one.device)
  if (one.isAltered || device.app !== app.name) return INVALID_GRANT
  deviceAsOf(device, world.now)
  if (stepUpHasEnded(world, device)) return INVALID_GRANT
  switch (device.state) {
    case "pending": {
      // What a poll was told stays so, also if the app gets step-up back. STEP-4.
      if (device.stepUp !== null && !app.mayStepUp) {
        device.state = "denied"
        return refused(400, "access_denied")
      }
      const interval = paced(device, world.steady)
      return interval === null
        ? refused(400, "authorization_pending")
        : { ...refused(400, "slow_down"), interval }
    }
    case "approved":
      return fetched(world, device, app, one.resources)
    case "redeemed":
      return INVALID_GRANT
    case "denied":
      return refused(400, "access_denied")
    case "expired":
      return refused(400, "expired_token")
  }
}

/**
 * Whether the credential of the step-up has ended (STEP-5). An approval that outlives the elevation has expired (DG-9).
 */
function stepUpHasEnded(world: World, device: Device): boolean {
  const { state } = device
  if (device.stepUp === null || (state !== "pending" && state !== "approved")) return false
  const credential = credentialOf(world, device.stepUp)
  tellTheTime(credential, world.now)
  if (!isLive(credential, world.now)) return true
  const until = credential.elevatedUntil
  if (state === "approved" && (until === null || !isAlive(until, world.now))) device.state = "expired"
  return false
}

/** Issues the tokens, only once: DG-3. An approval of an app that is for others now is denied for good: GROUP-6. */
function fetched(world: World, device: Device, { groups }: App, asked: readonly string[]): Expected {
  if (device.stepUp === null && !isFor(groups, accountOf(world, device.answeredBy ?? ""))) {
    device.state = "denied"
    device.answeredBy = null
    return refused(400, "access_denied")
  }
  if (device.stepUp !== null) {
    device.state = "redeemed"
    return { status: 200, elevated: true }
  }
  const credential = deviceCredential(world, device)
  const resources = audience(credential, asked)
  if (resources === null) return INVALID_TARGET
  device.state = "redeemed"
  world.credentials.set(credential.name, credential)
  issuePair(world, credential, { narrowed: "all", scope: reach(world, credential), resources })
  return tokenResponse(world, credential)
}
