/** The settings that an administrator can change while the service runs. Interface RATE-3, LIM-7. */
import type { Permission } from "../kernel/ids.ts"
import {
  ACCESS_SECONDS,
  EVENTS_KEPT_DAYS,
  REDIRECT_SCHEMES_AT_MOST,
  STEP_UP_SECONDS,
} from "../kernel/limits.ts"
import { defaultOpenPermissions, type OpenPermissions } from "./permissions/open-permissions.rules.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import { isAdmin } from "./permissions/permission.rules.ts"
import type { Catalog } from "./permissions/permission-catalog.rules.ts"
import {
  openidCatalog,
  openidPermissions,
  plainCatalog,
  unknownPermission,
} from "./permissions/openid-permissions.rules.ts"
import { parseDocumentDomains, parseDomainList } from "./clients/document-domains.rules.ts"
import { parseBudget } from "../kernel/rate-limit.ts"
import { reservedScheme } from "./clients/reserved-schemes.rules.ts"
import { isScope } from "./permissions/scope-token.rules.ts"

export type Setting<T> = {
  /** The stored name of the setting. */
  readonly key: string
  /** The default, as a text that `parse` can read. */
  readonly default: string | ((catalog: Catalog) => string)
  readonly parse: (text: string) => Result<T, Problem>
  /** Checks a new value. A stored one is read without this check, because the catalog may have changed since then. */
  readonly check?: (text: string, catalog: Catalog, languages?: readonly string[]) => string | null
  /** One sentence that explains the setting to the administrator. */
  readonly explain: string
}

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
    explain: "The lifetime of new access tokens, in seconds. Tokens issued before a change keep theirs.",
  }),
  openRegistration: setting({
    key: "registration.open",
    default: "off",
    parse: parseSwitch,
    explain: "Whether apps may register themselves (RFC 7591): on or off.",
  }),
  openPermissions: setting({
    key: "registration.permissions",
    default: (catalog) => defaultOpenPermissions(catalog).join(" "),
    parse: parsePermissions,
    check: permissionsProblem,
    explain:
      "What an app that registers itself may ask for: permission names, separated by spaces, or * for all but admin: ones.",
  }),
  openSchemes: setting({
    key: "registration.schemes",
    default: "cursor vscode vscode-insiders windsurf",
    parse: parseSchemes,
    check: schemesProblem,
    explain:
      "Private-use schemes without a period that self-registered and users' apps may return to, separated by spaces.",
  }),
  documents: setting({
    key: "clients.documents",
    default: "off",
    parse: parseSwitch,
    explain:
      "Whether an app may use the URL of a document that describes it as its client_id: on or off. The service fetches it.",
  }),
  documentDomains: setting({
    key: "clients.document_domains",
    default: "*",
    parse: parseDocumentDomains,
    explain:
      "Hosts whose documents are accepted, separated by spaces; *.example.org stands for subdomains, * for every host.",
  }),
  deniedDocumentDomains: setting({
    key: "clients.denied_document_domains",
    default: "",
    parse: parseDomainList,
    explain: "Hosts whose documents are refused, separated by spaces; *.example.org stands for subdomains.",
  }),
  stepUpSeconds: setting({
    key: "step_up.window_seconds",
    default: "900",
    parse: (text) => parseSeconds(text, STEP_UP_SECONDS.least, STEP_UP_SECONDS.most),
    explain: "How many seconds a credential stays elevated after its account holder proved a factor.",
  }),
  eventsKeptDays: setting({
    key: "events.retention_days",
    default: String(EVENTS_KEPT_DAYS.usual),
    parse: parseDays,
    explain: "How many days the audit trail is kept. Older events are deleted for good.",
  }),
  openid: setting({
    key: "openid.enabled",
    default: "off",
    parse: parseSwitch,
    check: openidProblem,
    explain: "Whether apps may sign people in with OpenID Connect: on or off.",
  }),
  defaultLanguage: setting({
    key: "languages.default",
    default: "en",
    parse: (text) => (LANGUAGE.test(text) ? ok(text) : err("Write the tag of a language, such as pt-BR.")),
    check: languageProblem,
    explain:
      "The language of pages and mails for people who chose none and whose browser asks for no known one.",
  }),
} as const

export type Settings = {
  readonly [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never
}

const byKey: ReadonlyMap<string, Setting<unknown>> = new Map(
  Object.values(settings).map((row) => [row.key, row]),
)

export function settingOf(key: string): Setting<unknown> | undefined {
  return byKey.get(key)
}

export function defaultOf(row: Setting<unknown>, catalog: Catalog): string {
  return typeof row.default === "string" ? row.default : row.default(catalog)
}

/** Returns the catalog with the permissions of OpenID Connect while they are on, and without them while they are off. */
export function catalogInForce(catalog: Catalog, { openid }: Pick<Settings, "openid">): Catalog {
  return (openid ? openidCatalog(catalog) : null) ?? plainCatalog(catalog)
}

/**
 * Returns the current settings. A missing or unreadable value is replaced by its default. OpenID Connect is off while the
 * catalog has a permission of its own with a name that it needs.
 */
export function readSettings(stored: ReadonlyMap<string, string>, catalog: Catalog): Settings {
  const read = Object.entries<Setting<unknown>>(settings).map(
    ([name, row]) => [name, valueOf(row, stored.get(row.key), catalog)] as const,
  )
  const all = Object.fromEntries(read) as Settings
  return all.openid && openidCatalog(catalog) === null ? { ...all, openid: false } : all
}

function valueOf<T>(row: Setting<T>, text: string | undefined, catalog: Catalog): T {
  const parsed = text === undefined ? null : row.parse(text)
  if (parsed?.ok === true) return parsed.value
  const fallback = row.parse(defaultOf(row, catalog))
  if (!fallback.ok) throw new Error(`the default of ${row.key} does not parse`)
  return fallback.value
}

function parseSeconds(text: string, least: number, most: number): Result<number, Problem> {
  const seconds = /^[0-9]{1,9}$/.test(text) ? Number(text) : -1
  return seconds >= least && seconds <= most
    ? ok(seconds)
    : err(`Write a whole number of seconds from ${least} to ${most}.`)
}

function parseDays(text: string): Result<number, Problem> {
  const { least, most } = EVENTS_KEPT_DAYS
  const days = /^[0-9]{1,4}$/.test(text) ? Number(text) : -1
  return days >= least && days <= most
    ? ok(days)
    : err(`Write a whole number of days from ${least} to ${most}.`)
}

function parseSwitch(text: string): Result<boolean, Problem> {
  return text === "on" || text === "off" ? ok(text === "on") : err("Write on or off.")
}

const EVERY_ONE = "*"

/** Null stands for all permissions. Names that are no longer in the catalog are ignored. */
function parsePermissions(text: string): Result<OpenPermissions, Problem> {
  if (text === EVERY_ONE) return ok(null)
  return isScope(text)
    ? ok([...new Set(text.split(" "))])
    : err("Write permission names with one space between, or * for all but admin: ones.")
}

function permissionsProblem(text: string, catalog: Catalog): string | null {
  for (const name of text === EVERY_ONE ? [] : text.split(" ")) {
    if (isAdmin(name)) return `${name} cannot be had by an app that registers itself.`
    if (!catalog.has(name as Permission)) return unknownPermission(catalog, name)
  }
  return null
}

const SCHEME = /^[a-z][a-z0-9+.-]{1,62}$/i

/** Parses a list of schemes, which are converted to lower case. An empty text is an empty list. */
function parseSchemes(text: string): Result<readonly string[], Problem> {
  const schemes = text === "" ? [] : text.split(" ")
  return schemes.length <= REDIRECT_SCHEMES_AT_MOST && schemes.every((scheme) => SCHEME.test(scheme))
    ? ok([...new Set(schemes.map((scheme) => scheme.toLowerCase()))])
    : err(
        `Write up to ${REDIRECT_SCHEMES_AT_MOST} schemes with one space between and no colon, such as cursor vscode.`,
      )
}

function openidProblem(text: string, catalog: Catalog): string | null {
  if (text !== "on" || openidCatalog(catalog) !== null) return null
  const names = Object.keys(openidPermissions).filter((name) => catalog.has(name as Permission))
  return `The configuration file defines ${names.join(", ")}, which OpenID Connect needs for itself.`
}

const LANGUAGE = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/

function languageProblem(text: string, _: Catalog, languages: readonly string[] = []): string | null {
  if (languages.includes(text)) return null
  return `The service has no language ${JSON.stringify(text)}. It has ${languages.join(", ")}.`
}

function schemesProblem(text: string): string | null {
  const scheme = text
    .split(" ")
    .find((name) => name !== "" && (/^https?$/i.test(name) || reservedScheme(name) !== null))
  if (scheme === undefined) return periodProblem(text)
  return `${scheme} is not an app's scheme: it ${reservedScheme(scheme) ?? "opens a web page"}.`
}

function periodProblem(text: string): string | null {
  const scheme = text.split(" ").find((name) => name.includes("."))
  return scheme === undefined
    ? null
    : `${scheme} has a period, so apps may return to it in any case. Name only schemes without one.`
}
