/** The rules for authorization requests, with a page and without: AUTHZ-9…AUTHZ-12, OIDC-5, OIDC-7…OIDC-9, OIDC-16. */
import { named, type Expected } from "./expected.ts"
import { AHEAD_SECONDS, REMEMBERED_SECONDS, SILENT_CODES } from "./limits.ts"
import type { IdTokenOf, Operation } from "./operation.ts"
import { APP_GONE } from "./page-answers.ts"
import { isSignedIn, newCredential, shown, SIGN_IN } from "./page-rules.ts"
import { askedFor, withinAccount } from "./permissions.ts"
import { REDIRECT_URIS } from "./redirect-uris.ts"
import { covering, endRemembered, isRememberable, type Wanted } from "./remembered-rules.ts"
import { spelledAll } from "./resources.ts"
import { isSpent, spend } from "./tries.ts"
import { type Account, accountOf, appOf, codeName, idTokenName, type World } from "./world.ts"

type Of<K extends Operation["do"]> = Extract<Operation, { readonly do: K }>

export function authorize(world: World, one: Of<"authorize">): Expected {
  const account = accountOf(world, one.account)
  const app = appOf(world, one.app)
  if (app.state === "removed") return seenAhead({ status: 400, page: "app unknown" }, one)
  if (app.state === "disabled") return seenAhead(APP_GONE, one)
  if (!REDIRECT_URIS.slice(0, app.redirects).includes(one.redirectUri))
    return seenAhead({ status: 400, page: "wrong address" }, one)
  const resources = spelledAll(one.resources)
  if (resources === null) return sentBack(one, "invalid_target")
  const asked = askedFor(one.scope, app.ceiling)
  if (asked === null) return sentBack(one, "invalid_scope")
  const isOpenid = namesOpenid(one.scope, asked)
  const scope = withinAccount(asked, account, app.groups)
  const remembers = isRememberable(app, one.redirectUri, isOpenid, asked)
  const { redirectUri, openid } = one
  const wanted = { account: account.name, app: app.name, redirectUri, scope, resources }
  const isCovered = remembers && one.ahead === null && covering(world, wanted) !== null
  const now = isOpenid ? beforeThePage(world, one, account, isCovered) : isSignedIn(account) ? null : SIGN_IN
  if (now !== null) return seenAhead(now, one)
  const nonce = isOpenid ? openid.nonce : null
  const isAsked = /consent|select_account/.test(openid.prompt ?? "")
  const code = isCovered && !isAsked ? codeWithoutPage(world, account, { ...one, nonce }, wanted) : null
  if (code !== null) return code
  if (isOpenid && openid.prompt === "none") return sentBack(one, "consent_required")
  const what = { what: "authorization", app: app.name, redirectUri, nonce, resources } as const
  const about = { ...what, remembers, isDecided: false, isTooLate: false }
  if (one.ahead === "HEAD") return { status: 200 }
  return shown(world, account, one.form, about, scope)
}

/** A response to HEAD has no page. */
function seenAhead(expected: Expected, { ahead }: Of<"authorize">): Expected {
  const { page: _, ...rest } = expected
  return ahead === "HEAD" ? rest : expected
}

/** Makes a credential as a click does: OIDC-16. Returns null after too many of an hour. */
function codeWithoutPage(
  world: World,
  { session }: Account,
  { form, nonce }: Pick<Of<"authorize">, "form"> & { readonly nonce: string | null },
  wanted: Wanted,
): Expected | null {
  const consent = covering(world, wanted)
  const counter = `codes without a page of ${wanted.account} for ${wanted.app}`
  if (consent === null || session === null) throw new Error("no consent covers this")
  if (isSpent(world, counter, SILENT_CODES.most, SILENT_CODES.seconds)) return null
  spend(world, counter, SILENT_CODES.seconds)
  const { app, redirectUri: to, resources, account, scope: granted } = wanted
  const name = form.replace("form", "credential")
  const remembered = { name: consent.name, endsAt: consent.clickedAt + REMEMBERED_SECONDS }
  const signIn = { at: session.since, session: session.name, nonce }
  const of = { name, app, redirectUri: to, resources, signIn, remembered }
  world.credentials.set(name, newCredential(world, of, { account, granted }))
  return { status: 303, to, code: named(codeName(name)), iss: "the issuer" }
}

/** The form of the account page, which a signed-in person sends. OIDC-17. */
export function askAgain(world: World, { account, app }: Of<"ask again">): Expected {
  const isEnded = endRemembered(world, (one) => one.account === account && one.app === app)
  return { status: 303, to: isEnded ? "/account?done=asks-again" : "/account" }
}

const sentBack = ({ redirectUri: to }: Of<"authorize">, error: string): Expected => ({
  status: 303,
  to,
  error,
  iss: "the issuer",
})

/** Returns what the parameters of OpenID Connect lead to before the consent page: OIDC-5, OIDC-7…OIDC-9. */
function beforeThePage(
  world: World,
  one: Of<"authorize">,
  account: Account,
  isCovered: boolean,
): Expected | null {
  const { prompt, maxAge, hint } = one.openid
  const prompts = prompt?.split(" ") ?? []
  const isAlone = prompts.length === 1
  if ((prompts.includes("none") && !isAlone) || (maxAge !== null && !/^[0-9]+$/.test(maxAge)))
    return sentBack(one, "invalid_request")
  const { session } = account
  if (!isSignedIn(account) || session === null)
    return prompts.includes("none") ? sentBack(one, "login_required") : SIGN_IN
  const { since } = session
  const isOld = maxAge !== null && (since > world.now + AHEAD_SECONDS || world.now - since > Number(maxAge))
  const isOwn = hint !== null && hint !== "nonsense" && hint.app === one.app && !isWithdrawn(world, hint)
  const isOther = isOwn && hint.account !== account.name
  if (prompts.includes("none")) {
    const isUnknown = hint !== null && !isOwn
    if (isOther || isUnknown) return sentBack(one, "login_required")
    // An app that the person has not allowed learns nothing about the time of the last proof.
    if (!isCovered) return sentBack(one, "consent_required")
    return isOld ? sentBack(one, "login_required") : null
  }
  return isOld || isOther || prompts.includes("login") ? SIGN_IN : null
}

/** Whether the key of the last id_token was withdrawn. It then proves nothing. OIDC-9. */
function isWithdrawn(world: World, of: IdTokenOf): boolean {
  const era = world.idTokens.get(idTokenName(of))?.era ?? 0
  return era < world.eras[appOf(world, of.app).algorithm]
}

/** Whether the request is one of OpenID Connect. Only then do the parameters of OpenID Connect count. OIDC-5. */
function namesOpenid(scope: string | null, asked: readonly string[]): boolean {
  return scope?.split(" ").includes("openid") === true && asked.includes("openid")
}
