/**
 * What every page and form of the console shares: a signed-in administrator, looked up anew at each request. To anybody
 * else who is signed in there is no console: its addresses answer like addresses that do not exist.
 */
import type { FormEffect, FormPath } from "../accounts/elevation.rules.ts"
import { type Form, parseForm } from "../kernel/form.ts"
import type { ConsoleInput } from "../ui/console/frame.ts"
import { renderNotFound } from "../ui/console/not-found.ts"
import type { Actor } from "../accounts/accounts.ts"
import { hasRecentAuthentication } from "../accounts/factors/factor.ts"
import type { SignedIn } from "../accounts/sessions/session.ts"
import { csrfToken, isOwnForm } from "../http/csrf.ts"
import { CONSOLE_STYLE_SOURCE } from "../http/headers.ts"
import type { HttpReply, HttpRequest } from "../http/connection/message.ts"
import { queryOf, rawFormOf } from "../http/request.ts"
import { sendErrorPage, sendPage, sendSeeOther } from "../http/respond.ts"
import { type Browser, browserOf } from "../http/browser-cookies.ts"
import type { HttpContext } from "../http/http-context.ts"
import { showSignIn } from "../oauth/authorize/authorization-pages.ts"
import { addressOf, type Endpoint } from "../http/endpoint.ts"
import { addressWith, showProof } from "../accounts/guards/reauthentication-page.ts"
import { alwaysNeedsFactor, formWithFactor } from "../accounts/guards/recent-factor.ts"

/** An administrator's request. */
export type ConsoleRequest = {
  readonly browser: Browser
  readonly signedIn: SignedIn
  /** Whatever is done here is recorded as done by this administrator. */
  readonly from: Actor & { readonly address: string }
  /** The query of a page that is shown, the body of a form that is sent. */
  readonly form: Form
}

type Run = (
  context: HttpContext,
  reply: HttpReply,
  consoleRequest: ConsoleRequest,
) => Promise<HttpReply> | HttpReply

const EMPTY: Form = { values: new Map(), repeated: new Set(), valuesOfRepeated: new Map() }

/** Shows a page at `path`; whoever is signed out signs in first and comes back. */
export function consolePage(path: string, run: Run): Endpoint {
  return async (context, request, reply) => {
    const browser = await browserOf(context, request)
    const query = queryOf(request)
    const { signedIn } = browser
    if (signedIn === null) {
      const next = query === "" ? path : `${path}?${query}`
      return showSignIn(context, reply, browser, { status: 200, next, of: null, username: "", problem: null })
    }
    if (!signedIn.account.admin) return noConsole(context, reply)
    const from = fromOf(context, request, signedIn)
    return run(context, reply, { browser, signedIn, from, form: parseForm(query) ?? EMPTY })
  }
}

/** Shows the page of a form that needs a factor: the proof comes first. FACTOR-8. */
export function provenConsolePage(path: FormPath, run: Run): Endpoint {
  return consolePage(path, async (context, reply, consoleRequest) => {
    if (
      !alwaysNeedsFactor(path) ||
      (await hasRecentAuthentication(context.services, consoleRequest.signedIn))
    )
      return run(context, reply, consoleRequest)
    return showProof(context, reply, consoleRequest, addressWith(path, consoleRequest.form))
  })
}

/** Which of the effects that the table lists a form will have. Those that never need a factor may be left out. */
type VisitEffects<P extends FormPath> = (
  context: HttpContext,
  consoleRequest: ConsoleRequest,
) => readonly FormEffect<P>[] | Promise<readonly FormEffect<P>[]>

/** Takes a form that a page of ours sent in this session, after a proof where the table of elevation asks for one. */
export function consoleForm<P extends FormPath>(
  path: P,
  run: Run,
  effectsOf: VisitEffects<P> | null = null,
): Endpoint {
  return (context, request, reply) =>
    takeForm(context, request, reply, rawFormOf(request), async (_, __, consoleRequest) => {
      const { browser, signedIn, from, form } = consoleRequest
      const sent = { browser, signedIn, address: from.address, form, body: String(request.body) }
      const judge =
        effectsOf === null ? null : (of: Form) => effectsOf(context, { ...consoleRequest, form: of })
      const ready = await formWithFactor(context, reply, path, sent, judge)
      return "reply" in ready ? ready.reply : run(context, reply, { ...consoleRequest, form: ready.form })
    })
}

/** The same for a form that was read otherwise; null where it could not be. */
export async function takeForm(
  context: HttpContext,
  request: HttpRequest,
  reply: HttpReply,
  form: Form | null,
  run: Run,
): Promise<HttpReply> {
  const browser = await browserOf(context, request)
  const { signedIn } = browser
  if (signedIn !== null && !signedIn.account.admin) return noConsole(context, reply)
  const isOurs = isOwnForm(context, request, csrfToken(browser), form?.values.get("csrf"))
  if (signedIn === null || form === null || !isOurs)
    return sendErrorPage(context, reply, 403, { kind: "formForeign" })
  return run(context, reply, { browser, signedIn, from: fromOf(context, request, signedIn), form })
}

function fromOf(context: HttpContext, request: HttpRequest, { account }: SignedIn): ConsoleRequest["from"] {
  return { address: addressOf(context, request), actorId: account.userId }
}

/** To whoever has no console: as of any address that there is not. */
function noConsole(context: HttpContext, reply: HttpReply): HttpReply {
  return sendErrorPage(context, reply, 404, { kind: "notFound" })
}

/** To an administrator: there is nothing here, and the rest of the console is over there. */
export function notFound(context: HttpContext, reply: HttpReply, consoleRequest: ConsoleRequest): HttpReply {
  return sendConsole(context, reply, renderNotFound(frameOf(context, consoleRequest)), 404)
}

/** An address below the console at which there is nothing. */
export const showNotFound: Endpoint = async (context, request, reply) => {
  const browser = await browserOf(context, request)
  const { signedIn } = browser
  if (signedIn?.account.admin !== true) return noConsole(context, reply)
  return notFound(context, reply, {
    browser,
    signedIn,
    from: fromOf(context, request, signedIn),
    form: EMPTY,
  })
}

export function toPage(context: HttpContext, reply: HttpReply, address: string): HttpReply {
  return sendSeeOther(context, reply, context.basePath + address)
}

export function sendConsole(
  context: HttpContext,
  reply: HttpReply,
  page: string,
  status: 200 | 400 | 404 | 409 = 200,
): HttpReply {
  return sendPage(context, reply, status, page, { styleSource: CONSOLE_STYLE_SOURCE })
}

/** What the frame of each page shows. */
export function frameOf(
  { basePath }: HttpContext,
  { browser, signedIn, form }: ConsoleRequest,
): ConsoleInput {
  return {
    basePath,
    username: signedIn.account.username,
    csrf: csrfToken(browser),
    done: form.values.get("done") ?? null,
  }
}

/** A field of the query or the form; empty where it is not there. */
export function fieldOf({ form }: ConsoleRequest, name: string): string {
  return form.values.get(name) ?? ""
}
