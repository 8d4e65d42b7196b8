/** Shared code of sign-in forms: the CSRF check, and the destination after sign-in. */
import { parseForm } from "../../kernel/form.ts"
import type { SignInAttempt } from "../sessions/start-session.ts"
import { openContinuation, sealContinuation, signInPath } from "./continuation.ts"
import { forgetWaiting } from "./waiting-cookie.ts"
import { budgetKey } from "../../platform/http/connection/client-address.ts"
import { isFromOwnPage, isOwnForm, visitorToken } from "../sessions/csrf.ts"
import type { HttpReply, HttpRequest } from "../../platform/http/connection/message.ts"
import { queryOf, rawFormOf, userAgentOf } from "../../platform/http/request.ts"
import { sendErrorPage, sendSeeOther } from "../../platform/http/respond.ts"
import { type Browser, browserOf, keepBrowser, setSession } from "../sessions/browser-cookies.ts"
import { waitingAt } from "../../platform/http/waiting.rules.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { showSignIn } from "./sign-in-page.ts"
import { addressOf, type Endpoint } from "../../platform/http/endpoint.ts"

export type SignInForm = {
  readonly browser: Browser
  readonly values: ReadonlyMap<string, string>
  /** The path and query that the browser visits after sign-in. Null stands for the account page. */
  readonly next: string | null
  readonly visitor: SignInAttempt
}

/** Wraps the handler of a sign-in form. An expired form leads back to the sign-in page. */
export function signInForm(
  run: (context: HttpContext, reply: HttpReply, form: SignInForm) => Promise<HttpReply>,
): Endpoint {
  return async (context, request, reply) => {
    const form = rawFormOf(request)
    if (form === null) return sendErrorPage(context, reply, 400, { kind: "formUnread" })
    // Browsers send no cookies with a form from another site. The response to such a form must not change this
    // browser's cookies.
    if (!isFromOwnPage(context, request)) return sendErrorPage(context, reply, 403, { kind: "formForeign" })
    const { values } = form
    const browser = await browserOf(context, request)
    const next = openContinuation(context.services.keys, values.get("continue") ?? "")
    if (!isOwnForm(context, request, visitorToken(browser), values.get("csrf"))) {
      const username = values.get("username") ?? ""
      const problem = { problem: "stale" } as const
      return showSignIn(context, reply, browser, { status: 403, next, username, problem })
    }
    if (values.has("cancel")) {
      const denied = await context.denyWaitingApp(context, reply, next)
      return denied ?? sendSeeOther(context, reply, context.basePath + (next ?? "/sign-in"))
    }
    const visitor = visitorOf(context, request, browser)
    return run(context, reply, { browser, values, next, visitor })
  }
}

export type VisitorForm = Pick<SignInForm, "browser" | "values" | "visitor">

/** Wraps the handler of a form of a page that needs no sign-in. */
export function visitorForm(
  run: (context: HttpContext, reply: HttpReply, form: VisitorForm) => Promise<HttpReply> | HttpReply,
): Endpoint {
  return async (context, request, reply) => {
    const form = rawFormOf(request)
    if (form === null) return sendErrorPage(context, reply, 400, { kind: "formUnread" })
    const { values } = form
    const browser = await browserOf(context, request)
    return isOwnForm(context, request, visitorToken(browser), values.get("csrf"))
      ? run(context, reply, { browser, values, visitor: visitorOf(context, request, browser) })
      : sendErrorPage(context, reply, 403, { kind: "formForeign" })
  }
}

/** Starts the sign-in again after a reload of a page that only a form shows. `nextOf` finds what waits. */
export function leaveForSignIn(
  nextOf: (context: HttpContext, request: HttpRequest, browser: Browser) => string | null,
): Endpoint {
  return async (context, request, reply) => {
    const next = nextOf(context, request, await browserOf(context, request))
    const path = signInPath(sealContinuation(context.services.keys, next))
    return sendSeeOther(context, reply, context.basePath + path)
  }
}

/** Returns the path and query that a page on the way carries in its URL, or null. */
export function continuationOf({ services }: HttpContext, request: HttpRequest): string | null {
  return openContinuation(services.keys, parseForm(queryOf(request))?.values.get("continue") ?? "")
}

export function visitorOf(context: HttpContext, request: HttpRequest, browser: Browser): SignInAttempt {
  const address = addressOf(context, request)
  return {
    address,
    addressKey: budgetKey(address),
    userAgent: userAgentOf(request),
    browserSecret: browser.secret,
    formerSecret: browser.sessionSecret,
  }
}

/** Sets the session cookie and redirects to the destination. */
export function finishSignIn(
  context: HttpContext,
  reply: HttpReply,
  browser: Browser,
  secret: string,
  next: string | null,
): HttpReply {
  keepBrowser(context, reply, browser)
  setSession(context, reply, secret)
  // A sign-in that leads elsewhere, such as one on the account pages, does not lose what waits.
  if (next === null || waitingAt(next) !== null) forgetWaiting(context, reply)
  return sendSeeOther(context, reply, context.basePath + (next ?? "/account"))
}
