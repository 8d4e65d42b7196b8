/** Proving a factor for an app that asks for it: STEP-2; docs/interface.md, "Step-up". */
import { endsAt, isLive, tellTheTime } from "./credential-life.ts"
import { deviceAsOf } from "./device-life.ts"
import { OTP_STEP_SECONDS, STEP_UP_SECONDS, WRONG_PASSWORDS } from "./limits.ts"
import type { Operation } from "./operation.ts"
import {
  ANSWERED,
  APP_GONE,
  CONNECTION_ENDED,
  isSignedOut,
  isStale,
  NOT_ALLOWED,
  NOT_YOURS,
  STALE,
} from "./page-answers.ts"
import type { Expected } from "./expected.ts"
import { isSpent, spend } from "./tries.ts"
import {
  type Account,
  accountOf,
  appOf,
  credentialOf,
  type Device,
  deviceOf,
  type Form,
  formOf,
  type World,
} from "./world.ts"

type Answer = Extract<Operation, { readonly do: "answer" }>
type StepUp = { readonly form: string; readonly step: number }

export function answerStepUp(world: World, one: Answer): Expected {
  return beginStepUp(world, one) ?? proveStepUp(world, one) ?? decideStepUp(world, one)
}

export function deviceOfForm(world: World, { name, about }: Form): Device {
  if (about.what !== "device") throw new Error(`${name} is about no device`)
  return deviceOf(world, about.device)
}

/**
 * An answer to a step-up has three moments: the check whether it can be answered, the proof, and the decision. Returns
 * null if the next moment follows. The current time and other operations are checked before the factor, which is then
 * not used up.
 */
export function beginStepUp(world: World, one: Answer): Expected | null {
  const form = formOf(world, one.form)
  const device = deviceOfForm(world, form)
  if (isSignedOut(world, form)) return NOT_YOURS
  if (isStale(form, world.now)) return STALE
  deviceAsOf(device, world.now)
  if (device.state === "expired") return STALE
  if (device.state !== "pending") return ANSWERED
  if (hasEnded(world, device)) return CONNECTION_ENDED
  if (one.decision !== "authorize") {
    device.state = "denied"
    device.answeredBy = form.account
    return { status: 200, page: "denied" }
  }
  return blocked(world, device)
}

/** Whether the credential of the step-up has ended. STEP-5. */
function hasEnded(world: World, device: Device): boolean {
  const credential = credentialOf(world, device.stepUp ?? "")
  tellTheTime(credential, world.now)
  return !isLive(credential, world.now)
}

/** Returns why a step-up cannot be confirmed. Returns null if it can. */
export function blocked(world: World, device: Device): Expected | null {
  if (hasEnded(world, device)) return CONNECTION_ENDED
  const { state, mayStepUp } = appOf(world, device.app)
  if (state !== "enabled") return APP_GONE
  return mayStepUp ? null : NOT_ALLOWED
}

/** Draws the page of a step-up that may have ended since it was found. */
export function showStepUp(
  world: World,
  one: Extract<Operation, { readonly do: "show a step-up" }>,
): Expected {
  const device = deviceOf(world, one.device)
  deviceAsOf(device, world.now)
  const ended = device.state === "expired" ? STALE : device.state === "pending" ? null : ANSWERED
  const blocker = ended ?? blocked(world, device)
  if (blocker !== null && one.form !== null) world.forms.delete(one.form)
  return blocker ?? { status: one.status, page: "step-up" }
}

/** The second moment, in which the factor is checked. */
export function proveStepUp(world: World, { form, step }: StepUp): Expected | null {
  return prove(world, accountOf(world, formOf(world, form).account), step)
}

/** The third moment, after a correct factor. */
export function decideStepUp(world: World, one: Pick<StepUp, "form">): Expected {
  const form = formOf(world, one.form)
  const device = deviceOfForm(world, form)
  if (form.session.isOver) return NOT_YOURS
  deviceAsOf(device, world.now)
  if (device.state === "expired") return STALE
  if (device.state !== "pending") return ANSWERED
  const blocker = blocked(world, device)
  if (blocker !== null) return blocker
  const credential = credentialOf(world, device.stepUp ?? "")
  device.state = "approved"
  device.answeredBy = form.account
  device.approvedAt = world.now
  credential.elevatedUntil = Math.min(world.now + STEP_UP_SECONDS, endsAt(credential))
  return { status: 200, page: "approved" }
}

/**
 * Checks a one-time password. Each works once, and its step must be later than the last one. Returns null if it is
 * right. FACTOR-4.
 */
function prove(world: World, account: Account, step: number): Expected | null {
  const counter = `one-time passwords of ${account.name}`
  if (isSpent(world, counter, WRONG_PASSWORDS.account, WRONG_PASSWORDS.seconds))
    return { status: 429, page: "step-up" }
  const now = Math.floor(world.now / OTP_STEP_SECONDS)
  if (account.state !== "enabled" || Math.abs(step - now) > 1 || step <= account.usedStep) {
    spend(world, counter, WRONG_PASSWORDS.seconds)
    return { status: 403, page: "step-up" }
  }
  account.usedStep = step
  return null
}
