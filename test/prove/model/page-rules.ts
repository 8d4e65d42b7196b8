/** What browsers are shown and what their answers come to: AUTHZ-9…AUTHZ-12, DG-3…DG-6, STEP-2. */
import {
  AHEAD_SECONDS,
  OTP_STEP_SECONDS,
  PAGE_SECONDS,
  STEP_UP_SECONDS,
  WRONG_CODES,
  WRONG_PASSWORDS,
} from "./limits.ts"
import { endsAt, isLive } from "./credential-life.ts"
import { deviceAsOf } from "./device-life.ts"
import type { Operation } from "./operation.ts"
import { askedFor, isHubAdministration, withinAccount } from "./permissions.ts"
import { named, type Told } from "./told.ts"
import { giveBack, isSpent, spend } from "./tries.ts"
import {
  type Account,
  accountOf,
  appOf,
  codeName,
  type Credential,
  credentialOf,
  type Device,
  deviceOf,
  type Form,
  formOf,
  type World,
} from "./world.ts"

type Of<K extends Operation["do"]> = Extract<Operation, { readonly do: K }>

const NOT_YOURS: Told = { status: 403, page: "not yours" }
const ANSWERED: Told = { status: 409, page: "answered before" }
const STALE: Told = { status: 400, page: "stale" }
const APP_GONE: Told = { status: 400, page: "app gone" }
const SIGN_IN: Told = { status: 200, page: "sign in" }

export function isSignedIn(account: Account): boolean {
  return account.state === "enabled" && account.session !== null && !account.session.isOver
}

export function signIn(world: World, one: Of<"sign in">): Told {
  const account = accountOf(world, one.account)
  account.sessions++
  account.session = { name: one.session, since: world.now, isOver: false }
  return { status: 200 }
}

export function authorize(world: World, one: Of<"authorize">): Told {
  const account = accountOf(world, one.account)
  const app = appOf(world, one.app)
  if (app.state === "removed") return { status: 400, page: "app unknown" }
  if (app.state === "disabled") return APP_GONE
  const asked = askedFor(one.scope, app.ceiling)
  if (asked === null) return { status: 303, to: one.redirectUri, error: "invalid_scope", iss: "the issuer" }
  if (!isSignedIn(account)) return SIGN_IN
  const granted = withinAccount(asked, account.isAdmin)
  const about = {
    what: "authorization",
    app: app.name,
    redirectUri: one.redirectUri,
    isDecided: false,
  } as const
  return shown(world, account, one.form, about, granted)
}

function shown(
  world: World,
  account: Account,
  name: string,
  about: Form["about"],
  granted: readonly string[],
): Told {
  if (account.session === null) throw new Error("nobody is signed in")
  world.forms.set(name, {
    name,
    account: account.name,
    session: account.session,
    shownAt: world.now,
    about: { ...about },
    granted,
  })
  return { status: 200, page: "consent", granted: granted.join(" ") }
}

const codesOf = (account: string) => [
  { counter: `codes of ${account}`, most: WRONG_CODES.account },
  { counter: "codes of the address", most: WRONG_CODES.address },
]

export function openCode(world: World, one: Of<"open a code">): Told {
  return reserveCode(world, one) ?? lookAtCode(world, one)
}

/** A code counts as wrong until it was found to be right. Null where it may be looked at. */
export function reserveCode(world: World, one: Of<"open a code">): Told | null {
  const account = accountOf(world, one.account)
  if (!isSignedIn(account)) return SIGN_IN
  const counters = codesOf(account.name)
  const isOver = counters.some(({ counter, most }) => isSpent(world, counter, most, WRONG_CODES.seconds))
  if (isOver) return { status: 429, page: "device" }
  for (const { counter } of counters) spend(world, counter, WRONG_CODES.seconds)
  return null
}

/** Whether this many codes at once could be too many, right as they may be. */
export function mayBeTooMany(world: World, one: Of<"open a code">, atOnce: number): boolean {
  return codesOf(one.account).some(({ counter, most }) =>
    isSpent(world, counter, most - atOnce + 1, WRONG_CODES.seconds),
  )
}

export function lookAtCode(world: World, one: Pick<Of<"open a code">, "account" | "device" | "form">): Told {
  const account = accountOf(world, one.account)
  const device = deviceOf(world, one.device)
  deviceAsOf(device, world.now)
  const isOwn = device.stepUp === null || credentialOf(world, device.stepUp).account === account.name
  if (device.state !== "pending" || !isOwn || !mayAsk(world, device)) return { status: 400, page: "device" }
  for (const { counter } of codesOf(account.name)) giveBack(world, counter, WRONG_CODES.seconds)
  const granted = withinAccount(device.asked, account.isAdmin)
  const about = { what: "device", device: device.name, isConfirmation: false } as const
  const told = shown(world, account, one.form, about, device.stepUp === null ? granted : [])
  return device.stepUp === null ? told : { status: 200, page: "step-up" }
}

/** Whether its app may ask this of anybody, now. */
function mayAsk(world: World, device: Device): boolean {
  const { state, mayStepUp } = appOf(world, device.app)
  return state === "enabled" && (device.stepUp === null || mayStepUp)
}

export function answer(world: World, one: Of<"answer">): Told {
  const form = formOf(world, one.form)
  if (isSignedOut(world, form)) return NOT_YOURS
  if (form.about.what === "authorization") return answeredAuthorization(world, one, form, form.about)
  const device = deviceOf(world, form.about.device)
  return device.stepUp === null ? answeredDevice(world, one, form, device) : answerStepUp(world, one)
}

export function isSignedOut(world: World, { account, session }: Form): boolean {
  return accountOf(world, account).state !== "enabled" || session.isOver
}

function isStale(form: Form, now: number): boolean {
  return form.shownAt > now + AHEAD_SECONDS || now - form.shownAt >= PAGE_SECONDS
}

type AboutAuthorization = Extract<Form["about"], { readonly what: "authorization" }>

function answeredAuthorization(world: World, one: Of<"answer">, form: Form, about: AboutAuthorization): Told {
  // Whoever sends it again is told that the first answer stands, however late.
  if (about.isDecided) return ANSWERED
  if (isStale(form, world.now)) {
    // Somebody was told that it came too late: no clock that is set back makes it fresh.
    about.isDecided = true
    return STALE
  }
  const doesAuthorize = one.decision === "authorize" && form.granted.length > 0
  const { app, redirectUri: to } = about
  if (appOf(world, app).state !== "enabled") return APP_GONE
  about.isDecided = true
  if (!doesAuthorize) return { status: 303, to, error: "access_denied", iss: "the issuer" }
  const name = one.form.replace("form", "credential")
  world.credentials.set(name, newCredential(world, { name, app, redirectUri: to }, form))
  return { status: 303, to, code: named(codeName(name)), iss: "the issuer" }
}

function newCredential(
  world: World,
  of: Pick<Credential, "name" | "app" | "redirectUri">,
  { account, granted }: Pick<Form, "account" | "granted">,
): Credential {
  return {
    ...of,
    account,
    consent: granted,
    consentedAt: world.now,
    state: "issued",
    isExchanged: false,
    rotatedAt: world.now,
    generations: [],
    access: [],
    elevatedUntil: null,
  }
}

/** The credential that the fetch of a device grant makes. */
export function deviceCredential(world: World, device: Device): Credential {
  const of = {
    name: device.name.replace("device", "credential of device"),
    app: device.app,
    redirectUri: null,
  }
  const made = newCredential(world, of, { account: device.approvedBy ?? "", granted: device.granted })
  // Its year begins with the approval, which is its consent; its idle time with the fetch.
  made.consentedAt = device.approvedAt
  made.isExchanged = true
  made.state = "active"
  world.credentials.set(made.name, made)
  return made
}

function answeredDevice(world: World, one: Of<"answer">, form: Form, device: Device): Told {
  if (isStale(form, world.now)) return STALE
  const isAuthorize = one.decision === "authorize"
  if (isAuthorize && appOf(world, device.app).state !== "enabled") return APP_GONE
  deviceAsOf(device, world.now)
  if (device.state === "expired") return STALE
  if (device.state !== "pending") return ANSWERED
  if (!isAuthorize || form.granted.length === 0) {
    device.state = "denied"
    return { status: 200, page: "denied" }
  }
  const isConfirmation = form.about.what === "device" && form.about.isConfirmation
  if (isHubAdministration(form.granted) && !isConfirmation) {
    const about = { what: "device", device: device.name, isConfirmation: true } as const
    const confirmation = { ...form, name: one.next, shownAt: world.now, about }
    world.forms.set(one.next, confirmation)
    return { status: 200, page: "confirmation" }
  }
  device.state = "approved"
  device.approvedBy = form.account
  device.approvedAt = world.now
  device.granted = form.granted
  return { status: 200, page: "approved" }
}

type StepUp = { readonly form: string; readonly step: number }

function answerStepUp(world: World, one: Of<"answer">): Told {
  return beginStepUp(world, one) ?? proveStepUp(world, one) ?? decideStepUp(world, one)
}

export function deviceOfForm(world: World, { name, about }: Form): Device {
  if (about.what !== "device") throw new Error(`${name} is about no device`)
  return deviceOf(world, about.device)
}

/**
 * An answer to a step-up is three moments: whether it can be answered, the proof, the decision. Null where it comes to the
 * next. What time and others decided comes before the factor, which is then not used up.
 */
export function beginStepUp(world: World, one: Of<"answer">): Told | null {
  const form = formOf(world, one.form)
  const device = deviceOfForm(world, form)
  if (isSignedOut(world, form)) return NOT_YOURS
  if (isStale(form, world.now)) return STALE
  deviceAsOf(device, world.now)
  if (device.state === "expired") return STALE
  if (device.state !== "pending") return ANSWERED
  if (one.decision !== "authorize") {
    device.state = "denied"
    return { status: 200, page: "denied" }
  }
  return mayAsk(world, device) ? null : APP_GONE
}

/** The second moment. */
export function proveStepUp(world: World, { form, step }: StepUp): Told | null {
  return prove(world, accountOf(world, formOf(world, form).account), step)
}

/** The third, after a right proof. */
export function decideStepUp(world: World, one: Pick<StepUp, "form">): Told {
  const form = formOf(world, one.form)
  const device = deviceOfForm(world, form)
  if (form.session.isOver) return ANSWERED
  deviceAsOf(device, world.now)
  if (device.state === "expired") return STALE
  if (device.state !== "pending") return ANSWERED
  if (!mayAsk(world, device)) return APP_GONE
  const credential = credentialOf(world, device.stepUp ?? "")
  if (!isLive(credential, world.now)) {
    // What is over is not elevated.
    device.state = "denied"
    return { status: 200, page: "denied" }
  }
  device.state = "approved"
  device.approvedBy = form.account
  credential.elevatedUntil = Math.min(world.now + STEP_UP_SECONDS, endsAt(credential))
  return { status: 200, page: "approved" }
}

/** FACTOR-4: once, and only forward. Null where it is right. */
function prove(world: World, account: Account, step: number): Told | null {
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
