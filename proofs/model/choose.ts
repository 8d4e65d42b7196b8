/** Turns a step into an operation. Its numbers choose among what the world contains. */
import { refreshEndsAt, endsAt } from "./credential-life.ts"
import { pick, pickLate, type Step, type StepKind } from "../../test/support/history.ts"
import { CODE_SECONDS, DAY, DEVICE_SECONDS, GRACE_SECONDS, OTP_STEP_SECONDS, PAGE_SECONDS } from "./limits.ts"
import type { AppDeed, Caller, Decision, OpenidParameters, Operation } from "./operation.ts"
import { isSignedIn } from "./page-rules.ts"
import {
  accessName,
  type Account,
  accountOf,
  type App,
  appOf,
  type Credential,
  type Device,
  type Form,
  refreshName,
  type World,
} from "./world.ts"

/** Operations that run one after the other. Only the last one was drawn, and the others prepare it. */
export type Chosen = readonly Operation[]

export const REDIRECT_URIS: readonly string[] = [
  "https://app.example/callback",
  "http://127.0.0.1:4711/callback",
]

/** The ceilings that apps may have. */
const CEILINGS: readonly (readonly string[])[] = [
  ["account:write", "credentials:write", "files:write"],
  ["account:read", "openid"],
  ["openid", "profile"],
  ["files:read"],
  ["account:read", "credentials:write"],
  ["account:read", "notes:write"],
  ["notes:read", "files:read", "admin:crew", "admin:accounts", "openid"],
  ["account:read", "files:write", "admin:apps"],
  ["admin:accounts", "admin:apps", "credentials:write", "files:read"],
  ["account:write", "credentials:write", "files:write", "admin:accounts", "admin:events"],
]

const SCOPES: readonly (string | null)[] = [
  ...[null, null, null, "files:read", "account:read", "files:write account:read", "credentials:write"],
  ...["admin:accounts files:read", "admin:apps", "openid", "files:read nonsense", "account:write files:read"],
  ...["workers:read", "files:read files:read openid", "admin:accounts credentials:write admin:events"],
  ...["openid", "openid profile", "openid profile email account:read", "profile", "openid groups files:read"],
  ...[
    "notes:write",
    "notes:write account:read",
    "notes:read files:read",
    "admin:crew notes:read",
    "admin:crew",
  ],
]

const PROMPTS: readonly (string | null)[] = [
  ...[null, null, null, null, null, "none", "none", "none", "login", "consent", "select_account"],
  ...["none login", "consent nonsense", "nonsense"],
]
const MAX_AGES: readonly (string | null)[] = [null, null, null, null, null, null, "0", "60", "3600", "-1"]

/** A public key is kept for a year after its end, and an id_token is a hint as long as that. SIGN-2. */
const KEY_KNOWN = 300 * DAY

const NARROWER: readonly (string | null)[] = [
  ...[null, null, null, null, null, null, "files:read", "account:read", "workers:read", "credentials:write"],
  ...["admin:accounts", "files:read nonsense", "openid", "openid profile email", "files:write account:read"],
  ...["files:read  account:read", '"', "notes:read"],
]

const APP_DEEDS: readonly AppDeed[] = [
  ...["ceiling", "ceiling", "ceiling", "ceiling", "disable", "enable", "enable", "secret", "remove"],
  ...["allow step-up", "allow step-up", "forbid step-up"],
] as AppDeed[]

const GROUPS: readonly (readonly string[])[] = [["crew"], ["ops"], ["crew", "ops"], []]

const WAITS: readonly number[] = [
  1,
  1,
  2,
  3,
  4,
  5,
  6,
  10,
  29,
  31,
  59,
  61,
  120,
  599,
  601,
  1800,
  3599,
  3601,
  DAY,
  20 * DAY,
  89 * DAY,
]
/**
 * Jumps of the clock back are rarely more than a day. After such a jump, no one-time password is valid until the old
 * time has come again.
 */
const BACK: readonly number[] = [
  ...[-1, -2, -4, -5, -6, -20, -70, -1, -2, -4, -5, -6, -20, -70, -61, -40, -3, -30],
  ...[-DAY + 30, -DAY - 1800, -2 * DAY],
]

const usual = <T>(number: number, most: T, others: readonly T[]): T =>
  number % 100 < 85 ? most : (others[number % others.length] ?? most)

function callerOf(world: World, app: App, how: number): Caller {
  const other =
    pick(
      [...world.apps.values()].filter(({ name }) => name !== app.name),
      how,
    ) ?? app
  const nameless: Caller = { app: null, secret: "none", nth: 0 }
  return usual<Caller>(how, asItself(app, how), [
    asItself(other, how),
    asItself(other, how),
    { app: app.name, secret: "body", nth: 0 },
    { app: app.name, secret: "body", nth: Math.max(0, app.secrets - 1) },
    { app: app.name, secret: "none", nth: 0 },
    nameless,
  ])
}

function asItself({ name, type, secrets }: App, how: number): Caller {
  if (type === "public") return { app: name, secret: "none", nth: 0 }
  return { app: name, secret: how % 3 === 0 ? "basic" : "body", nth: secrets }
}

/** Whether a step gets the `nth` of its unusual variants. Each of them is used in one of fourteen steps. */
const isOdd = (how: number, nth: number) => Math.floor(how / 100) % 14 === nth

type Choosers = { readonly [K in StepKind]: (world: World, step: Step, name: string) => Chosen }

const NOTHING: Chosen = []

/** If nothing exists for an operation, these steps lead to it. */
const BEFORE: readonly StepKind[] = ["exchange", "answer", "authorize"]

export function choose(world: World, step: Step, name: string): Chosen {
  for (const kind of [step.kind, ...BEFORE]) {
    const chosen = choosers[kind](world, step, name)
    if (chosen.length > 0) return chosen
  }
  return NOTHING
}

const credentials = (world: World) => [...world.credentials.values()]
const held = (world: World) => credentials(world).filter(({ generations }) => generations.length > 0)

/** Returns a credential, usually one that has not ended. */
function heldOne(world: World, { of, how }: Step): Credential | undefined {
  const live = held(world).filter(({ state }) => state === "active")
  return pickLate(how % 12 === 0 || live.length === 0 ? held(world) : live, of)
}

/** Signs in an account if possible, so that it can use a browser. */
function signedIn(account: Account, now: number): Chosen {
  const { session } = account
  const isFresh = session !== null && session.since <= now + 3 && now - session.since < DAY
  if (account.state !== "enabled" || (isSignedIn(account) && isFresh)) return NOTHING
  return [
    { do: "sign in", account: account.name, session: `session ${account.sessions + 1} of ${account.name}` },
  ]
}

function heldToken(credential: Credential, { which, how }: Step, isRefreshToo: boolean) {
  const { name, generations } = credential
  const generation =
    how % 4 === 0
      ? 1 + (which % generations.length)
      : Math.max(1, generations.length - (which % 3 === 0 ? 1 : 0))
  const isRefresh = isRefreshToo && which % 2 === 0
  const token = isRefresh ? refreshName(name, generation) : accessName(name, generation)
  return { token, credential: name, isAltered: isOdd(how, 1) }
}

const choosers: Choosers = {
  authorize(world, { of, which, how }, name) {
    const account = pick([...world.accounts.values()], of)
    const app = pick([...world.apps.values()], which)
    const redirectUri = pick(REDIRECT_URIS, how)
    if (!account || !app || redirectUri === undefined) return NOTHING
    const enter = signedIn(account, world.now)
    if (account.session === null && enter.length === 0) return NOTHING
    const scope = pick(SCOPES, Math.floor(how / 7)) ?? null
    const openid = openidParameters(world, { of, which, how }, name)
    const asked = { account: account.name, app: app.name, scope, redirectUri, openid }
    return [...enter, { do: "authorize", ...asked, form: `form ${name}` }]
  },

  answer(world, { of, which, how }, name) {
    const forms = [...world.forms.values()].filter(
      ({ shownAt }) => Math.abs(world.now - shownAt) < 2 * PAGE_SECONDS,
    )
    const open = forms.filter((form) => !isDecided(world, form))
    const form = pickLate(which % 6 === 0 ? forms : open, of)
    if (!form) return NOTHING
    const decision = usual<Decision>(which, "authorize", ["refuse", "none", "both"])
    const account = accountOf(world, form.account)
    const now = Math.floor(world.now / OTP_STEP_SECONDS)
    const step = how % 10 === 0 ? account.usedStep : Math.max(now - 1, account.usedStep + 1)
    return [{ do: "answer", form: form.name, decision, step, next: `form ${name}` }]
  },

  exchange(world, { of, which, how }) {
    const all = credentials(world).filter(({ redirectUri }) => redirectUri !== null)
    const waiting = all.filter(({ state }) => state === "issued")
    const credential = pickLate(which % 10 === 0 ? all : waiting, of)
    if (!credential) return NOTHING
    return [
      {
        do: "exchange",
        caller: callerOf(world, appOf(world, credential.app), which),
        credential: credential.name,
        isAltered: isOdd(how, 1),
        verifier: isOdd(how, 2) ? "wrong" : isOdd(how, 4) ? "missing" : "right",
        isRedirectRight: !isOdd(how, 3),
      },
    ]
  },

  refresh(world, step) {
    const { which, how } = step
    const credential = heldOne(world, step)
    if (!credential) return NOTHING
    const last = credential.generations.length
    if (how % 20 === 19) return refreshedTwice(world, credential, which)
    const generation = how % 10 < 7 ? last : how % 10 < 9 ? Math.max(1, last - 1) : 1 + (which % last)
    return [
      {
        do: "refresh",
        caller: callerOf(world, appOf(world, credential.app), which),
        credential: credential.name,
        generation,
        isAltered: isOdd(how, 1),
        scope: pick(NARROWER, Math.floor(which / 100) + how) ?? null,
      },
    ]
  },

  revoke(world, step) {
    const credential = heldOne(world, step)
    if (!credential || step.how % 3 !== 0) return NOTHING
    const caller = callerOf(world, appOf(world, credential.app), step.which)
    return [{ do: "revoke", caller, ...heldToken(credential, step, true) }]
  },

  introspect(world, step) {
    const credential = heldOne(world, step)
    return credential ? [{ do: "introspect", ...heldToken(credential, step, false) }] : NOTHING
  },

  call(world, step) {
    const credential = heldOne(world, step)
    const target = pick(held(world), step.which)
    const what = pick(["credential", "account", "userinfo", "end"] as const, Math.floor(step.how / 3))
    if (!credential || !target || what === undefined) return NOTHING
    return [{ do: "call", what, target: target.name, ...heldToken(credential, step, false) }]
  },

  "ask for a device"(world, { of, which, how }, name) {
    const app = pick([...world.apps.values()], of)
    if (!app) return NOTHING
    const scope = pick(SCOPES, Math.floor(how / 7)) ?? null
    return [{ do: "ask for a device", caller: callerOf(world, app, which), scope, device: `device ${name}` }]
  },

  "open a code"(world, { of, which, how }, name) {
    const recent = [...world.devices.values()].filter(({ askedAt }) => Math.abs(world.now - askedAt) < DAY)
    const pending = recent.filter(({ state }) => state === "pending")
    const device = how % 10 === 0 ? pickLate(recent, of) : pickLate(pending, of)
    if (!device) return NOTHING
    const account = holderOf(world, device, which)
    if (!account) return NOTHING
    const enter = signedIn(account, world.now)
    if (account.session === null && enter.length === 0) return NOTHING
    return [...enter, { do: "open a code", account: account.name, device: device.name, form: `form ${name}` }]
  },

  poll(world, { of, which, how }) {
    const recent = [...world.devices.values()].filter(({ askedAt }) => Math.abs(world.now - askedAt) < DAY)
    const answered = recent.filter(({ state }) => state === "approved")
    const redeemed = recent.filter(({ state }) => state === "redeemed")
    const likely = how % 2 === 0 ? answered : how % 5 === 1 ? redeemed : recent
    const device = pickLate(likely.length > 0 ? likely : recent, of)
    if (!device) return NOTHING
    const caller = callerOf(world, appOf(world, device.app), which)
    return [{ do: "poll", caller, device: device.name, isAltered: isOdd(how, 1) }]
  },

  "step up"(world, step, name) {
    const able = held(world).filter((one) => one.state === "active" && appOf(world, one.app).mayStepUp)
    const credential =
      step.how % 6 === 0 || able.length === 0 ? heldOne(world, step) : pickLate(able, step.of)
    if (!credential) return NOTHING
    return [{ do: "step up", device: `device ${name}`, ...heldToken(credential, step, false) }]
  },

  "change account"(world, { of, which }) {
    const account = pick(
      [...world.accounts.values()].filter(({ state }) => state !== "removed"),
      of,
    )
    if (!account) return NOTHING
    if (account.state === "disabled")
      return [{ do: "change account", account: account.name, deed: which % 8 === 0 ? "remove" : "enable" }]
    const deed = pick(["disable", account.isAdmin ? "ordinary" : "administrator"] as const, which)
    if (deed === undefined) return NOTHING
    return [{ do: "change account", account: account.name, deed: which % 50 === 0 ? "remove" : deed }]
  },

  "change app"(world, { of, which, how }) {
    const app = pick(
      [...world.apps.values()].filter(({ state }) => state !== "removed"),
      of,
    )
    const ceiling = pick(CEILINGS, how)
    const drawn = pick(APP_DEEDS, which)
    if (!app || !ceiling || drawn === undefined) return NOTHING
    const isOpen = app.state === "enabled"
    const isRare = drawn === "remove" && how % 8 !== 0
    if (isRare || (drawn === "secret" && app.type === "public")) return NOTHING
    const deed = !isOpen && drawn !== "remove" ? "enable" : drawn === "enable" ? "ceiling" : drawn
    return [{ do: "change app", app: app.name, deed, ceiling }]
  },

  "change groups"(world, { of, which, how }) {
    const kind = which % 3 === 0 ? "app" : "account"
    const all = [...(kind === "app" ? world.apps : world.accounts).values()]
    const one = pick(
      all.filter(({ state }) => state !== "removed"),
      of,
    )
    // Most apps are for every account.
    const groups = kind === "app" && which % 2 === 0 ? [] : pick(GROUPS, how)
    return one && groups ? [{ do: "change groups", of: kind, name: one.name, groups }] : NOTHING
  },

  wait(_world, { of, which }) {
    const seconds = which % 8 === 0 ? pick(BACK, of) : pick(WAITS, of % (which % 4 === 0 ? 21 : 16))
    return seconds === undefined ? NOTHING : [{ do: "wait", seconds }]
  },

  until(world, { of, which, how }) {
    const moment = pick(moments(world, of, which), how)
    if (moment === undefined) return NOTHING
    const seconds = moment.at + (pick([-1, 0, 0, 1, 1, 30], which) ?? 0) - world.now
    if (seconds < -90) return NOTHING
    const wait: Chosen = seconds === 0 ? NOTHING : [{ do: "wait", seconds }]
    // What was reported as ended stays ended when the clock is set back.
    const again: Chosen = which % 5 < 2 ? [{ do: "wait", seconds: -40 }, moment.finder] : NOTHING
    return [...wait, moment.finder, ...again]
  },

  // The service knows a new key within a second.
  "rotate a key": (_world, { of, which, how }) => [
    { do: "rotate a key", algorithm: of % 4 === 0 ? "ES256" : "RS256", isNow: which % 2 === 0 },
    { do: "wait", seconds: how % 3 === 0 ? DAY + 1 : 1 },
  ],

  restart: () => [{ do: "restart" }],
}

function openidParameters(
  world: World,
  { of, which, how }: Omit<Step, "kind">,
  name: string,
): OpenidParameters {
  const hints = [...world.idTokens.values()].filter(({ at }) => at <= world.now && world.now - at < KEY_KNOWN)
  const hint = Math.floor(of / 3) % 5
  return {
    nonce: which % 4 === 0 ? null : `nonce ${name}`,
    prompt: pick(PROMPTS, Math.floor(which / 12)) ?? null,
    maxAge: pick(MAX_AGES, Math.floor(how / 190)) ?? null,
    hint:
      hint === 0
        ? (pick(hints, Math.floor(of / 15)) ?? null)
        : hint === 1 && of % 2 === 0
          ? "nonsense"
          : null,
  }
}

/** Uses the token, and uses it again near the end of its grace period. */
function refreshedTwice(world: World, { name, app, generations }: Credential, which: number): Chosen {
  const caller = asItself(appOf(world, app), which)
  const once = { caller, credential: name, generation: generations.length, isAltered: false, scope: null }
  const seconds = pick([59, 60, 61, 90, 119], which) ?? 61
  return [
    { do: "refresh", ...once },
    { do: "wait", seconds },
    { do: "refresh", ...once },
  ]
}

function isDecided(world: World, { about }: Form): boolean {
  if (about.what === "authorization") return about.isDecided
  return world.devices.get(about.device)?.state !== "pending"
}

/** Returns the account that answers a code. For a step-up, this is usually the account of the credential. */
function holderOf(world: World, { stepUp }: Device, which: number): Account | undefined {
  const credential = stepUp === null ? undefined : world.credentials.get(stepUp)
  if (credential !== undefined && which % 8 !== 0) return accountOf(world, credential.account)
  return pick([...world.accounts.values()], which)
}

/** A time at which the state changes by itself, and the operation that shows the change. */
type Moment = { readonly at: number; readonly finder: Operation }

function moments(world: World, of: number, which: number): readonly Moment[] {
  const open = credentials(world).filter(({ state }) => state === "active" || state === "issued")
  const elevated = open.filter(({ elevatedUntil }) => elevatedUntil !== null)
  const likely = elevated.length > 0 && which % 2 === 0 ? elevated : open
  const credential = pickLate(likely.length === 0 ? credentials(world) : likely, of)
  const device = pickLate([...world.devices.values()], of)
  return [
    ...(credential ? momentsOf(world, credential, which) : []),
    ...(device ? momentsOfDevice(world, device, which) : []),
  ]
}

/** A poll or an opened code reports the end. A page may show the end before the device polls. */
function momentsOfDevice(world: World, device: Device, which: number): readonly Moment[] {
  const at = device.askedAt + DEVICE_SECONDS
  const holder = holderOf(world, device, which)
  const isAbleToLook =
    holder !== undefined &&
    isSignedIn(holder) &&
    Math.abs((holder.session?.since ?? 0) - device.askedAt) < DAY
  const look = { do: "open a code", account: holder?.name ?? "", device: device.name } as const
  return [
    { at, finder: pollOf(world, device, which) },
    ...(isAbleToLook ? [{ at, finder: { ...look, form: `late form ${device.name}` } }] : []),
  ]
}

const pollOf = (world: World, device: Device, which: number): Operation => ({
  do: "poll",
  caller: asItself(appOf(world, device.app), which),
  device: device.name,
  isAltered: false,
})

function momentsOf(world: World, credential: Credential, which: number): readonly Moment[] {
  const { name, generations, access, consentedAt, elevatedUntil } = credential
  const caller = asItself(appOf(world, credential.app), which)
  if (generations.length === 0) {
    const right = { isAltered: false, verifier: "right", isRedirectRight: true } as const
    return [
      { at: consentedAt + CODE_SECONDS, finder: { do: "exchange", caller, credential: name, ...right } },
    ]
  }
  const refreshing = (generation: number) =>
    ({ do: "refresh", caller, credential: name, generation, isAltered: false, scope: null }) as const
  const look = (generation: number) =>
    ({ do: "introspect", credential: name, token: accessName(name, generation), isAltered: false }) as const
  const last = generations.length
  const retiredAt = generations.at(-2)?.retiredAt ?? null
  const window = retiredAt === null ? [] : [{ at: retiredAt + GRACE_SECONDS, finder: refreshing(last - 1) }]
  const [newest] = access
  const lapse = elevatedUntil === null ? [] : [{ at: elevatedUntil, finder: look(last) }]
  const isRare = which % 8 === 0
  return [
    ...[...window, ...window, ...window],
    ...(newest === undefined ? [] : [{ at: newest.expiresAt, finder: look(newest.generation) }]),
    ...[...lapse, ...lapse, ...lapse],
    ...(isRare ? [{ at: refreshEndsAt(credential), finder: refreshing(last) }] : []),
    ...(isRare ? [{ at: endsAt(credential), finder: refreshing(last) }] : []),
  ]
}
