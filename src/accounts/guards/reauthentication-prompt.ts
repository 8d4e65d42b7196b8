/** The texts of the re-authentication page and its link back. Those of the console are in English. */
import type { Effect } from "../elevation.rules.ts"
import type { TextKey, Texts } from "../../platform/languages/texts.ts"
import { settingInWords } from "../../platform/ui/console/setting-words.ts"
import type { ReauthenticationPrompt } from "./reauthenticate.view.ts"

type Row = {
  readonly action: string | ((texts: Texts, query: URLSearchParams, effects: readonly Effect[]) => string)
  readonly place: ReauthenticationPrompt["place"]
  /** The target of the link back. The id from `next` is added to it. */
  readonly back: string
}

const SECURITY = { area: "account", here: "/account/security" } as const
const OWN_APPS = { area: "account", here: "/account/apps" } as const
const ACCOUNTS = { area: "console", here: "accounts" } as const
const APPS = { area: "console", here: "apps" } as const
const CREDENTIALS = { area: "console", here: "credentials" } as const
const SETTINGS = { area: "console", here: "settings" } as const

function said(key: TextKey): (texts: Texts) => string {
  return (texts) => texts.plain(key)
}

const rows: ReadonlyMap<string, Row> = new Map<string, Row>([
  [
    "/account/security/password",
    { action: said("prove.action.password"), place: SECURITY, back: SECURITY.here },
  ],
  ["/account/email", { action: said("prove.action.email"), place: SECURITY, back: "/account/email" }],
  ["/account/security/totp", { action: said("prove.action.totp"), place: SECURITY, back: SECURITY.here }],
  [
    "/account/security/passkey",
    { action: said("prove.action.passkey"), place: SECURITY, back: SECURITY.here },
  ],
  [
    "/account/security/recovery",
    { action: said("prove.action.recovery-codes"), place: SECURITY, back: SECURITY.here },
  ],
  [
    "/account/security/factor",
    { action: said("prove.action.remove-factor"), place: SECURITY, back: "/account/security/factor" },
  ],
  [
    "/account/security/remove",
    { action: said("prove.action.remove-factor"), place: SECURITY, back: "/account/security/factor" },
  ],
  [
    "/account/security/connect",
    { action: said("prove.action.connect"), place: SECURITY, back: SECURITY.here },
  ],
  [
    "/account/security/disconnect",
    { action: said("prove.action.disconnect"), place: SECURITY, back: SECURITY.here },
  ],
  [
    "/account/end-access",
    {
      action: said("prove.action.end-access"),
      place: { area: "account", here: "/account" },
      back: "/account",
    },
  ],
  [
    "/account/apps/remove",
    { action: said("prove.action.remove-app"), place: OWN_APPS, back: "/account/apps/app" },
  ],
  [
    "/account/apps/secret",
    { action: said("prove.action.app-secret"), place: OWN_APPS, back: "/account/apps/app" },
  ],
  ["/console/account/new", { action: "add an administrator", place: ACCOUNTS, back: "/console/accounts" }],
  ["/console/account/password", { action: "set a new password", place: ACCOUNTS, back: "/console/account" }],
  ["/console/account/act", { action: toAnAccount, place: ACCOUNTS, back: "/console/account" }],
  ["/console/app/new", { action: newPowersInWords, place: APPS, back: "/console/apps" }],
  ["/console/app/edit", { action: powersInWords, place: APPS, back: "/console/app" }],
  ["/console/app/act", { action: toAnApp, place: APPS, back: "/console/app" }],
  [
    "/console/credential/revoke",
    { action: "revoke a credential", place: CREDENTIALS, back: "/console/credential" },
  ],
  ["/console/setting", { action: toASetting, place: SETTINGS, back: "/console/settings" }],
  ["/console/appearance", { action: "change the appearance", place: SETTINGS, back: "/console/settings" }],
  ["/console/appearance/logo", { action: "change the logo", place: SETTINGS, back: "/console/settings" }],
])

/** `next` is the path and query that the browser visits afterwards. An unknown path leads to the account page. */
export function reauthenticationPrompt(
  texts: Texts,
  next: string,
  effects: readonly Effect[] = [],
): ReauthenticationPrompt {
  const { pathname, searchParams } = new URL(next, "http://localhost")
  const row = rows.get(pathname)
  if (row === undefined)
    return { action: null, place: { area: "account", here: "/account" }, back: "/account" }
  const { action, place, back } = row
  const id = searchParams.get("id")
  return {
    action: typeof action === "string" ? action : action(texts, searchParams, effects),
    place,
    back: id === null ? back : `${back}?id=${encodeURIComponent(id)}`,
  }
}

const accountActions: ReadonlyMap<string, string> = new Map([
  ["remove", "remove an account"],
  ["grant", "make an account an administrator"],
  ["withdraw", "withdraw administration from an account"],
  ["factors", "reset an account’s factors"],
])

function toAnAccount(_: Texts, query: URLSearchParams): string {
  return accountActions.get(query.get("do") ?? "") ?? "change an account"
}

const powers: ReadonlyMap<Effect, string> = new Map([
  ["app.change-owner", "change the app’s owner"],
  ["app.verify", "verify the app"],
  ["app.mark-resource-server", "make the app a resource server"],
  ["app.allow-administration", "let the app ask for administrator permissions"],
])

/** A new app has no owner yet, so the text differs. */
const newPowers: typeof powers = new Map([...powers, ["app.change-owner", "give the new app an owner"]])

function powersInWords(_: Texts, __: URLSearchParams, effects: readonly Effect[]): string {
  return inWords(effects, powers, "change an app")
}

function newPowersInWords(_: Texts, __: URLSearchParams, effects: readonly Effect[]): string {
  return inWords(effects, newPowers, "register an app")
}

function inWords(effects: readonly Effect[], names: typeof powers, otherwise: string): string {
  const words = effects.flatMap((effect) => names.get(effect) ?? [])
  const [first = otherwise, ...rest] = words
  const others = rest.map((text) => text.replace("the app’s", "its").replace("the app", "it"))
  return new Intl.ListFormat("en").format([first, ...others])
}

function toAnApp(_: Texts, query: URLSearchParams): string {
  return query.get("do") === "secret" ? "create a new secret for an app" : "remove an app"
}

function toASetting(_: Texts, query: URLSearchParams): string {
  return `change “${settingInWords(query.get("key") ?? "").title}”`
}
