/** The texts of the re-authentication page and its link back. Those of the console are in English. */
import type { Effect } from "../elevation.rules.ts"
import type { TextKey, Texts } from "../../platform/languages/texts.ts"
import { settingInWords } from "../../platform/ui/console/setting-words.ts"
import type { ReauthenticationPrompt } from "./reauthenticate.view.ts"

type Asked = {
  readonly texts: Texts
  readonly query: URLSearchParams
  readonly effects: readonly Effect[]
}

type Row = {
  readonly action: (asked: Asked) => string
  readonly place: ReauthenticationPrompt["place"]
  /** The target of the link back. The id from `next` is added to it. */
  readonly back: string
}

type AccountAction = TextKey extends infer K
  ? K extends `prove.action.${infer Action}`
    ? Action
    : never
  : never
type Here<Area> = Extract<Row["place"], { readonly area: Area }>["here"]

function ofAccount(action: AccountAction, here: Here<"account">, back: string = here): Row {
  return {
    action: ({ texts }) => texts.plain(`prove.action.${action}`),
    place: { area: "account", here },
    back,
  }
}

function ofConsole(action: string | Row["action"], here: Here<"console">, back: string): Row {
  return {
    action: typeof action === "string" ? () => action : action,
    place: { area: "console", here },
    back,
  }
}

const FACTOR = "/account/security/factor"

const rows: ReadonlyMap<string, Row> = new Map([
  ["/account/security/password", ofAccount("password", "/account/security")],
  ["/account/email", ofAccount("email", "/account/security", "/account/email")],
  ["/account/security/totp", ofAccount("totp", "/account/security")],
  ["/account/security/passkey", ofAccount("passkey", "/account/security")],
  ["/account/security/recovery", ofAccount("recovery-codes", "/account/security")],
  [FACTOR, ofAccount("remove-factor", "/account/security", FACTOR)],
  ["/account/security/remove", ofAccount("remove-factor", "/account/security", FACTOR)],
  ["/account/security/connect", ofAccount("connect", "/account/security")],
  ["/account/security/disconnect", ofAccount("disconnect", "/account/security")],
  ["/account/end-access", ofAccount("end-access", "/account")],
  ["/account/apps/remove", ofAccount("remove-app", "/account/apps", "/account/apps/app")],
  ["/account/apps/secret", ofAccount("app-secret", "/account/apps", "/account/apps/app")],
  ["/console/account/new", ofConsole("add an administrator", "accounts", "/console/accounts")],
  ["/console/account/password", ofConsole("set a new password", "accounts", "/console/account")],
  ["/console/account/act", ofConsole(toAnAccount, "accounts", "/console/account")],
  ["/console/invitation/new", ofConsole("invite a person", "accounts", "/console/accounts")],
  ["/console/invitation/revoke", ofConsole("withdraw an invitation", "accounts", "/console/invitations")],
  ["/console/app/new", ofConsole(newPowersInWords, "apps", "/console/apps")],
  ["/console/app/edit", ofConsole(powersInWords, "apps", "/console/app")],
  ["/console/app/act", ofConsole(toAnApp, "apps", "/console/app")],
  ["/console/credential/revoke", ofConsole("revoke a credential", "credentials", "/console/credential")],
  ["/console/setting", ofConsole(toASetting, "settings", "/console/settings")],
  ["/console/appearance", ofConsole("change the appearance", "settings", "/console/settings")],
  ["/console/appearance/logo", ofConsole("change the logo", "settings", "/console/settings")],
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
    action: action({ texts, query: searchParams, effects }),
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

function toAnAccount({ query }: Asked): string {
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

function powersInWords({ effects }: Asked): string {
  return inWords(effects, powers, "change an app")
}

function newPowersInWords({ effects }: Asked): string {
  return inWords(effects, newPowers, "register an app")
}

function inWords(effects: readonly Effect[], names: typeof powers, otherwise: string): string {
  const words = effects.flatMap((effect) => names.get(effect) ?? [])
  const [first = otherwise, ...rest] = words
  const others = rest.map((text) => text.replace("the app’s", "its").replace("the app", "it"))
  return new Intl.ListFormat("en").format([first, ...others])
}

function toAnApp({ query }: Asked): string {
  return query.get("do") === "secret" ? "create a new secret for an app" : "remove an app"
}

function toASetting({ query }: Asked): string {
  return `change “${settingInWords(query.get("key") ?? "").title}”`
}
