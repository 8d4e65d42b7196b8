/** The table of settings: what an administrator may change while the service runs. Interface RATE-3, LIM-7. */
import { ACCESS_SECONDS, STEP_UP_SECONDS } from "./limits.ts"
import { declined, done, type Outcome } from "./outcome.ts"
import { parseBudget } from "./rate-limit.ts"

export type Setting<T> = {
  /** The name under which it is stored and changed. */
  readonly key: string
  readonly default: string
  readonly parse: (text: string) => Outcome<T>
  /** One sentence for the administrator. */
  readonly explain: string
}

/** Gives each row its own type. */
function setting<T>(row: Setting<T>): Setting<T> {
  return row
}

export const settings = {
  anonymousBudget: setting({
    key: "rate_limit.oauth_anonymous",
    default: "600/60",
    parse: parseBudget,
    explain:
      "How many requests one address may make to the anonymous endpoints together, as REQUESTS/SECONDS, or off.",
  }),
  accessSeconds: setting({
    key: "token.access_seconds",
    default: "3600",
    parse: (text) => parseSeconds(text, ACCESS_SECONDS.least, ACCESS_SECONDS.most),
    explain: "How many seconds an access token lives. Tokens that are out keep the life they were given.",
  }),
  stepUpSeconds: setting({
    key: "step_up.window_seconds",
    default: "900",
    parse: (text) => parseSeconds(text, STEP_UP_SECONDS.least, STEP_UP_SECONDS.most),
    explain: "How many seconds a credential stays elevated after its account holder proved a factor.",
  }),
} as const

export type Settings = {
  readonly [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never
}

const byKey: ReadonlyMap<string, Setting<unknown>> = new Map(
  Object.values(settings).map((row) => [row.key, row]),
)

/** The row of a stored name; undefined where there is no such setting. */
export function settingOf(key: string): Setting<unknown> | undefined {
  return byKey.get(key)
}

/** The settings in force. What is not stored, or was stored by hand and cannot be read, has its default. */
export function readSettings(stored: ReadonlyMap<string, string>): Settings {
  return {
    anonymousBudget: read(settings.anonymousBudget, stored),
    accessSeconds: read(settings.accessSeconds, stored),
    stepUpSeconds: read(settings.stepUpSeconds, stored),
  }
}

function read<T>(row: Setting<T>, stored: ReadonlyMap<string, string>): T {
  const text = stored.get(row.key)
  const parsed = text === undefined ? null : row.parse(text)
  if (parsed?.ok === true) return parsed.value
  const fallback = row.parse(row.default)
  if (!fallback.ok) throw new Error(`the default of ${row.key} does not parse`)
  return fallback.value
}

function parseSeconds(text: string, least: number, most: number): Outcome<number> {
  const seconds = /^[0-9]{1,9}$/.test(text) ? Number(text) : -1
  return seconds >= least && seconds <= most
    ? done(seconds)
    : declined(`Write a whole number of seconds from ${least} to ${most}.`)
}
