/** What the pages of "sign-in and security" share: somebody is signed in, and the form is one of our own. */
import type { FormPath } from "../elevation.rules.ts"
import { allValues, type Form, parseForm } from "../../kernel/form.ts"
import { hasRecentAuthentication } from "../factors/factor.ts"
import { csrfToken, isOwnForm } from "../../http/csrf.ts"
import type { HttpReply, HttpRequest } from "../../http/connection/message.ts"
import { queryOf, rawFormOf } from "../../http/request.ts"
import { sendErrorPage, sendSeeOther } from "../../http/respond.ts"
import { type Browser, browserOf } from "../../http/browser-cookies.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { showSignIn } from "../../oauth/authorize/authorization-pages.ts"
import { addressOf, type Endpoint } from "../../http/endpoint.ts"
import { showProof } from "./reauthentication-page.ts"
import { alwaysNeedsFactor, formWithFactor } from "./recent-factor.ts"
import type { AccountRequest } from "./account-request.ts"

type Run = (context: HttpContext, reply: HttpReply, own: AccountRequest) => Promise<HttpReply> | HttpReply

/** Shows a page at `path`; whoever is signed out signs in first and comes back. */
export function accountPage(path: string, run: Run): Endpoint {
  return async (context, request, reply) => {
    const browser = await browserOf(context, request)
    const query = queryOf(request)
    const { signedIn } = browser
    if (signedIn !== null)
      return run(
        context,
        reply,
        accountRequestOf(parseForm(query), { browser, signedIn, address: addressOf(context, request) }),
      )
    const next = query === "" ? path : `${path}?${query}`
    return showSignIn(context, reply, browser, { status: 200, next, of: null, username: "", problem: null })
  }
}

/** Shows the page of a form that needs a factor: the proof comes first, and the page with its query after it. */
export function provenPage(path: FormPath, run: Run): Endpoint {
  return accountPage(path, async (context, reply, own) => {
    if (!alwaysNeedsFactor(path) || (await hasRecentAuthentication(context.services, own.signedIn)))
      return run(context, reply, own)
    const query = new URLSearchParams([...own.values]).toString()
    return showProof(context, reply, own, query === "" ? path : `${path}?${query}`)
  })
}

/** Takes a form that a page of ours sent in this session, after a proof where the table of elevation asks for one. */
export function accountForm(path: FormPath, run: Run): Endpoint {
  return async (context, request, reply) => {
    const browser = await browserOf(context, request)
    const form = rawFormOf(request)
    const { signedIn } = browser
    if (form === null || signedIn === null || !isFromHere(context, request, browser, form.values))
      return sendErrorPage(context, reply, 403, { kind: "formForeign" })
    const of = { browser, signedIn, address: addressOf(context, request) }
    const sent = { ...of, form, body: String(request.body) }
    const ready = await formWithFactor(context, reply, path, sent, null)
    return "reply" in ready ? ready.reply : run(context, reply, accountRequestOf(ready.form, of))
  }
}

/** The request with what its query or its form says; null says nothing. */
export function accountRequestOf(
  form: Form | null,
  of: Pick<AccountRequest, "browser" | "signedIn" | "address">,
): AccountRequest {
  const values = form?.values ?? new Map<string, string>()
  return { ...of, values, all: (name) => (form === null ? [] : allValues(form, name)) }
}

/** A form that carries a file is read by whoever takes it; from where it came is told here as well. */
export function isFromHere(
  context: HttpContext,
  request: HttpRequest,
  browser: Browser,
  values: ReadonlyMap<string, string>,
): boolean {
  return isOwnForm(context, request, csrfToken(browser), values.get("csrf"))
}

export function toSecurity(context: HttpContext, reply: HttpReply): HttpReply {
  return sendSeeOther(context, reply, `${context.basePath}/account/security`)
}
