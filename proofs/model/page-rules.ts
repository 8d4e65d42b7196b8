/** The rules for pages and for the answers that people give on them: DG-3…DG-8, STEP-2, PAGE-1, OIDC-16. */
import { REMEMBERED_SECONDS, WRONG_CODES } from "./limits.ts"
import { deviceAsOf } from "./device-life.ts"
import type { Operation } from "./operation.ts"
import {
  ADDRESS_GONE,
  ADMINISTRATION_WITHDRAWN,
  ANSWERED,
  ANSWERED_BY_ANOTHER,
  APP_GONE,
  GROUPS_WITHDRAWN,
  isSignedOut,
  isStale,
  NOT_YOURS,
  REQUEST_CHANGED,
  STALE,
} from "./page-answers.ts"
import { both, closed, isHubAdministration, withinAccount, withinGroups } from "./permissions.ts"
import { REDIRECT_URIS } from "./redirect-uris.ts"
import { remember } from "./remembered-rules.ts"
import { answerStepUp, blocked } from "./step-up-rules.ts"
import { named, type Expected } from "./expected.ts"
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

export const SIGN_IN: Expected = { status: 200, page: "sign in" }

export function isSignedIn(account: Account): boolean {
  return account.state === "enabled" && account.session !== null && !account.session.isOver
}

export function signIn(world: World, one: Of<"sign in">): Expected {
  const account = accountOf(world, one.account)
  account.sessions++
  account.session = { name: one.session, since: world.now, isOver: false }
  return { status: 200 }
}

export function shown(
  world: World,
  account: Account,
  name: string,
  about: Form["about"],
  granted: readonly string[],
): Expected {
  if (account.session === null) throw new Error("the account has no session")
  world.forms.set(name, {
    name,
    account: account.name,
    session: account.session,
    shownAt: world.now,
    about: { ...about },
    granted,
  })
  const remembers = about.what === "authorization" && about.remembers && granted.length > 0
  return { status: 200, page: "consent", granted: granted.join(" "), ...(remembers && { remembers }) }
}

const codesOf = (account: string) => [
  { counter: `codes of ${account}`, most: WRONG_CODES.account },
  { counter: "codes of the address", most: WRONG_CODES.address },
]

export function openCode(world: World, one: Of<"open a code">): Expected {
  return reserveCode(world, one) ?? lookAtCode(world, one)
}

/** A code counts as wrong until it is found to be right. Returns null if the code may be looked up. */
export function reserveCode(world: World, one: Of<"open a code">): Expected | null {
  const account = accountOf(world, one.account)
  if (!isSignedIn(account)) return SIGN_IN
  const counters = codesOf(account.name)
  const isOver = counters.some(({ counter, most }) => isSpent(world, counter, most, WRONG_CODES.seconds))
  if (isOver) return { status: 429, page: "device" }
  for (const { counter } of counters) spend(world, counter, WRONG_CODES.seconds)
  return null
}

/** Whether this many concurrent codes could exceed the limit, even if all are right. */
export function mayBeTooMany(world: World, one: Of<"open a code">, atOnce: number): boolean {
  return codesOf(one.account).some(({ counter, most }) =>
    isSpent(world, counter, most - atOnce + 1, WRONG_CODES.seconds),
  )
}

export function lookAtCode(
  world: World,
  one: Pick<Of<"open a code">, "account" | "device" | "form">,
): Expected {
  const account = accountOf(world, one.account)
  const device = deviceOf(world, one.device)
  deviceAsOf(device, world.now)
  const isOwn = device.stepUp === null || credentialOf(world, device.stepUp).account === account.name
  const app = appOf(world, device.app)
  const isFound = device.stepUp === null ? app.state === "enabled" : isOwn && app.state !== "removed"
  if (device.state !== "pending" || !isFound) return { status: 400, page: "device" }
  for (const { counter } of codesOf(account.name)) giveBack(world, counter, WRONG_CODES.seconds)
  const blocker = device.stepUp === null ? null : blocked(world, device)
  if (blocker !== null) return blocker
  const granted = withinAccount(both(device.asked, closed(app.ceiling)), account, app.groups)
  const ticket = { isSpent: false }
  const about = { what: "device", device: device.name, isConfirmation: false, ticket } as const
  const expected = shown(world, account, one.form, about, device.stepUp === null ? granted : [])
  return device.stepUp === null ? expected : { status: 200, page: "step-up" }
}

export function answer(world: World, one: Of<"answer">): Expected {
  const form = formOf(world, one.form)
  if (isSignedOut(world, form)) return NOT_YOURS
  if (form.about.what === "authorization") return answeredAuthorization(world, one, form, form.about)
  const { about } = form
  const device = deviceOf(world, about.device)
  return device.stepUp === null
    ? answeredDevice(world, one, { ...form, about }, device)
    : answerStepUp(world, one)
}

type DeviceForm = Form & { readonly about: Extract<Form["about"], { readonly what: "device" }> }
type AboutAuthorization = Extract<Form["about"], { readonly what: "authorization" }>

function answeredAuthorization(
  world: World,
  one: Of<"answer">,
  form: Form,
  about: AboutAuthorization,
): Expected {
  if (about.isTooLate) return STALE
  if (about.isDecided) return ANSWERED
  if (isStale(form, world.now)) {
    // Setting the clock back does not make the page fresh again.
    about.isTooLate = true
    return STALE
  }
  const doesAuthorize = one.decision === "authorize" && form.granted.length > 0
  const { app, redirectUri: to, nonce, resources } = about
  if (appOf(world, app).state !== "enabled") return APP_GONE
  if (!REDIRECT_URIS.slice(0, appOf(world, app).redirects).includes(to)) return ADDRESS_GONE
  about.isDecided = true
  if (!doesAuthorize) return { status: 303, to, error: "access_denied", iss: "the issuer" }
  const granted = leftByGroups(world, form, app)
  const withdrawn = whatWasWithdrawn(world, form, granted)
  if (withdrawn !== null) return withdrawn
  const name = one.form.replace("form", "credential")
  const { since: at, name: session } = form.session
  const isRemembered = about.remembers && appOf(world, app).remembers
  const remembered = isRemembered ? { name, endsAt: world.now + REMEMBERED_SECONDS } : null
  const of = { name, app, redirectUri: to, resources, signIn: { at, session, nonce }, remembered }
  world.credentials.set(name, newCredential(world, of, { ...form, granted }))
  const clicked = { app, account: form.account, redirectUri: to, resources, scope: granted }
  if (isRemembered) remember(world, { ...clicked, name, clickedAt: world.now })
  return { status: 303, to, code: named(codeName(name)), iss: "the issuer" }
}

/** Returns what the groups leave of the page at the click. GROUP-5. */
function leftByGroups(world: World, { account, granted }: Form, app: string): readonly string[] {
  return withinGroups(granted, accountOf(world, account), appOf(world, app).groups)
}

/**
 * Returns the page that says why nothing is granted: the groups leave nothing, or they leave administration to an account
 * that is no longer an administrator. GROUP-5, DG-8.
 */
function whatWasWithdrawn(world: World, { account }: Form, left: readonly string[]): Expected | null {
  if (left.length === 0) return GROUPS_WITHDRAWN
  const isWhole = withinAccount(left, accountOf(world, account), []).length === left.length
  return isWhole ? null : ADMINISTRATION_WITHDRAWN
}

export function newCredential(
  world: World,
  of: Pick<Credential, "name" | "app" | "redirectUri" | "resources" | "signIn" | "remembered">,
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
    isKeyGone: false,
    generations: [],
    access: [],
    jwts: [],
    elevatedUntil: null,
  }
}

/** Returns the credential that is created when the tokens of a device grant are fetched. */
export function deviceCredential(world: World, device: Device): Credential {
  const of = {
    name: device.name.replace("device", "credential of device"),
    app: device.app,
    redirectUri: null,
    resources: device.resources,
    remembered: null,
    signIn: { at: device.signedInAt, session: null, nonce: null },
  }
  const made = newCredential(world, of, { account: device.answeredBy ?? "", granted: device.granted })
  // The year of the credential begins with the approval, which is its consent. Its idle time begins when the tokens are
  // fetched.
  made.consentedAt = device.approvedAt
  made.isExchanged = true
  made.state = "active"
  return made
}

function answeredDevice(world: World, one: Of<"answer">, form: DeviceForm, device: Device): Expected {
  if (isStale(form, world.now)) return STALE
  const isAuthorize = one.decision === "authorize"
  if (isAuthorize && appOf(world, device.app).state !== "enabled") return APP_GONE
  if (isAuthorize && form.about.ticket.isSpent) return ANSWERED
  deviceAsOf(device, world.now)
  if (device.state === "expired") return STALE
  if (device.state !== "pending") return device.answeredBy === form.account ? ANSWERED : ANSWERED_BY_ANOTHER
  if (!isAuthorize || form.granted.length === 0) {
    device.state = "denied"
    device.answeredBy = form.account
    return { status: 200, page: "denied" }
  }
  const granted = leftByGroups(world, form, device.app)
  const withdrawn = whatWasWithdrawn(world, form, granted)
  if (withdrawn !== null) {
    form.about.ticket.isSpent = true
    return withdrawn
  }
  if (isHubAdministration(granted) && !form.about.isConfirmation) {
    const registered = both(granted, closed(appOf(world, device.app).ceiling))
    if (registered.length < granted.length) return REQUEST_CHANGED
    const about = { ...form.about, isConfirmation: true }
    const confirmation = { ...form, granted, name: one.next, shownAt: world.now, about }
    world.forms.set(one.next, confirmation)
    return { status: 200, page: "confirmation" }
  }
  device.state = "approved"
  device.answeredBy = form.account
  device.approvedAt = world.now
  device.granted = granted
  device.signedInAt = form.session.since
  return { status: 200, page: "approved" }
}
