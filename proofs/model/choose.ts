/** Turns a step into an operation. Its numbers choose among what the world contains. */
import { pick, pickLate, type Step, type StepKind } from "../../test/support/history.ts"
import { DAY, OTP_STEP_SECONDS, PAGE_SECONDS } from "./limits.ts"
import type { AppDeed, Caller, Decision, OpenidParameters, Operation } from "./operation.ts"
import { accessOne, asItself, holderOf } from "./chosen.ts"
import { comeBack } from "./come-back.ts"
import { moments } from "./due.ts"
import { A_SECOND, signedIn } from "./entering.ts"
import { REDIRECT_URIS } from "./redirect-uris.ts"
import { NAMED } from "./resources.ts"
import { accountOf, type App, appOf, type Credential, type Form, refreshName, type World } from "./world.ts"

/** Operations that run one after the other. Only the last one was drawn, and the others prepare it. */
export type Chosen = readonly Operation[]

/** The ceilings that apps may have. */
const CEILINGS: readonly (readonly string[])[] = [
  ["account:write", "credentials:write", "files:write"],
  ["account:read", "openid"],
  ["openid", "profile", "account:read", "files:read"],
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
  ...["allow step-up", "allow step-up", "forbid step-up", "remember", "remember", "ask always"],
  ...["all addresses", "all addresses", "fewer addresses", "get an owner", "lose its owner"],
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

/** What a request names as `resource`. Most name nothing. */
function resourcesOf(number: number): readonly string[] {
  return number % 3 === 0 ? (pick(NAMED, Math.floor(number / 3)) ?? []) : []
}

function heldToken(credential: Credential, { which, how }: Step, isRefreshToo: boolean) {
  const { name, generations } = credential
  const generation =
    how % 4 === 0
      ? 1 + (which % generations.length)
      : Math.max(1, generations.length - (which % 3 === 0 ? 1 : 0))
  const isRefresh = isRefreshToo && which % 2 === 0
  const token = isRefresh ? { token: refreshName(name, generation) } : accessOne(credential, generation, how)
  return { ...token, credential: name, isAltered: isOdd(how, 1) }
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
    const resources = resourcesOf(Math.floor(of / 3) + which)
    const asked = { account: account.name, app: app.name, scope, redirectUri, openid, resources, ahead: null }
    return [...enter, A_SECOND, { do: "authorize", ...asked, form: `form ${name}` }]
  },

  "come back": (world, step, name) => comeBack(world, step, name),

  "ask again"(world, { of, which, how }) {
    const remembered = pickLate(world.remembered, of)
    const account = remembered
      ? accountOf(world, remembered.account)
      : pick([...world.accounts.values()], which)
    const app = remembered?.app ?? pick([...world.apps.keys()], how)
    if (!account || app === undefined) return NOTHING
    const enter = signedIn(account, world.now)
    if (account.state !== "enabled" || appOf(world, app).state === "removed") return NOTHING
    return [...enter, { do: "ask again", account: account.name, app }]
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
        resources: resourcesOf(Math.floor(how / 10)),
      },
    ]
  },

  refresh(world, step) {
    const { of, which, how } = step
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
        resources: resourcesOf(of + which),
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
    const asked = { scope, resources: resourcesOf(Math.floor(which / 7)), device: `device ${name}` }
    return [{ do: "ask for a device", caller: callerOf(world, app, which), ...asked }]
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
    const resources = resourcesOf(Math.floor(how / 5))
    return [{ do: "poll", caller, device: device.name, isAltered: isOdd(how, 1), resources }]
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
  const resources = resourcesOf(Math.floor(which / 5))
  const seconds = pick([59, 60, 61, 90, 119], which) ?? 61
  return [
    { do: "refresh", ...once, resources },
    { do: "wait", seconds },
    { do: "refresh", ...once, resources: which % 2 === 0 ? [] : resources },
  ]
}

function isDecided(world: World, { about }: Form): boolean {
  if (about.what === "authorization") return about.isDecided
  return world.devices.get(about.device)?.state !== "pending"
}
