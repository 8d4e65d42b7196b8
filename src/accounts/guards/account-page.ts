/** Wraps pages and forms of signed-in people. A role decides which accounts may use them. */
import type { FormEffect, FormPath } from "../elevation.rules.ts"
import { type Form, parseForm } from "../../kernel/form.ts"
import type { Account } from "../../model/account.rules.ts"
import { hasRecentAuthentication } from "../factors/factor.ts"
import { csrfToken, isFromOwnPage, isOwnForm } from "../sessions/csrf.ts"
import { formWithFile } from "../../platform/http/form-with-file.ts"
import type { HttpReply, HttpRequest } from "../../platform/http/connection/message.ts"
import { queryOf, rawFormOf } from "../../platform/http/request.ts"
import { sendErrorPage, sendSeeOther } from "../../platform/http/respond.ts"
import { browserOf } from "../sessions/browser-cookies.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { showSignIn } from "../sign-in/sign-in-page.ts"
import { addressOf, type Endpoint } from "../../platform/http/endpoint.ts"
import type { AccountRequest, SignedInBrowser } from "./account-request.ts"
import { alwaysNeedsFactor, formWithFactor, showProof } from "./reauthentication-page.ts"
import { beginningOf, sendStartAgain } from "./start-again.ts"
import type { Actor } from "../../model/event.rules.ts"

export type Role = {
  /** Any other account gets the response of an unknown path. */
  readonly includes: (account: Account) => boolean
  readonly actorOf: (account: Account) => Pick<Actor, "actorId">
}

type Run = (context: HttpContext, reply: HttpReply, request: AccountRequest) => Promise<HttpReply> | HttpReply

/** Shows the page of a form, with the problem of what was sent. */
export type ShowForm = (
  ...of: [...sent: Parameters<Run>, status: number, problem: string | null]
) => ReturnType<Run>

type RunWithFile = (
  context: HttpContext,
  reply: HttpReply,
  request: AccountRequest,
  file: Uint8Array | null,
) => Promise<HttpReply> | HttpReply

/** Returns which effects of the elevation table this form has. Effects that never need a factor may be left out. */
export type EffectsOfRequest<P extends FormPath> = (
  context: HttpContext,
  request: AccountRequest,
) => readonly FormEffect<P>[] | Promise<readonly FormEffect<P>[]>

type Wrappers = {
  /** Shows a page. A signed-out visitor signs in first. */
  readonly page: (path: string, run: Run) => Endpoint
  /** If the form on it always needs a recent factor, an unproven session re-authenticates first. FACTOR-8. */
  readonly provenPage: (path: FormPath, run: Run) => Endpoint
  /** Handles a form of a signed-in session. Asks for a factor first if the elevation table requires one. */
  readonly form: <P extends FormPath>(path: P, run: Run, effectsOf?: EffectsOfRequest<P>) => Endpoint
  readonly fileForm: (run: RunWithFile) => Endpoint
}

const EMPTY: Form = { values: new Map(), repeated: new Set(), valuesOfRepeated: new Map() }

export function wrappersFor(role: Role): Wrappers {
  const page = (path: string, run: Run): Endpoint => {
    return async (context, request, reply) => {
      const browser = await browserOf(context, request)
      const { signedIn } = browser
      const query = queryOf(request)
      if (signedIn === null) return showSignIn(context, reply, browser, { next: withQuery(path, query) })
      if (!role.includes(signedIn.account)) return sendNotFound(context, reply)
      return run(context, reply, requestOf(context, request, role, { browser, signedIn }))
    }
  }

  const provenPage = (path: FormPath, run: Run): Endpoint => {
    return page(path, async (context, reply, request) => {
      if (!alwaysNeedsFactor(path) || (await hasRecentAuthentication(context.services, request.signedIn)))
        return run(context, reply, request)
      const query = new URLSearchParams([...request.form.values]).toString()
      return showProof(context, reply, request, withQuery(path, query))
    })
  }

  const form = <P extends FormPath>(path: P, run: Run, effectsOf?: EffectsOfRequest<P>): Endpoint => {
    return (context, request, reply) =>
      takeForm(role, context, request, reply, rawFormOf(request), async (sent) => {
        const effects =
          effectsOf === undefined ? null : (of: Form) => effectsOf(context, { ...sent, form: of })
        const ready = await formWithFactor(context, reply, path, sent, String(request.body), effects)
        return "reply" in ready ? ready.reply : run(context, reply, { ...sent, form: ready.form })
      })
  }

  const fileForm = (run: RunWithFile): Endpoint => {
    return async (context, request, reply) => {
      const read = await formWithFile(request)
      const { form: fields, file } = read.ok ? read.value : { form: null, file: null }
      return takeForm(role, context, request, reply, fields, (sent) => run(context, reply, sent, file))
    }
  }

  return { page, provenPage, form, fileForm }
}

/** Checks that the form comes from a page of this session, and that the role includes its account. */
async function takeForm(
  role: Role,
  context: HttpContext,
  request: HttpRequest,
  reply: HttpReply,
  form: Form | null,
  run: (sent: AccountRequest) => Promise<HttpReply> | HttpReply,
): Promise<HttpReply> {
  const browser = await browserOf(context, request)
  const { signedIn } = browser
  if (signedIn !== null && !role.includes(signedIn.account)) return sendNotFound(context, reply)
  const csrf = form?.values.get("csrf")
  // The file of a signed-out browser is not read, and neither is the form around it.
  const isForm = form !== null && csrf !== undefined
  if (!isFromOwnPage(context, request) || (!isForm && signedIn !== null))
    return sendErrorPage(context, reply, 403, { kind: "formForeign" })
  if (!isForm || signedIn === null || !isOwnForm(context, request, csrfToken(browser), csrf)) {
    const next = beginningOf(context, browser, request.route?.path ?? "", form ?? EMPTY)
    return sendStartAgain(context, reply, browser, next)
  }
  return run(requestOf(context, request, role, { browser, signedIn }, form))
}

/** Builds the request of a signed-in person. For a request without a form, the fields come from the query. */
export function requestOf(
  context: HttpContext,
  request: HttpRequest,
  role: Role,
  of: SignedInBrowser,
  form: Form = parseForm(queryOf(request)) ?? EMPTY,
): AccountRequest {
  const from = { address: addressOf(context, request), ...role.actorOf(of.signedIn.account) }
  return { ...of, from, form }
}

function withQuery(path: string, query: string): string {
  return query === "" ? path : `${path}?${query}`
}

function sendNotFound(context: HttpContext, reply: HttpReply): HttpReply {
  return sendErrorPage(context, reply, 404, { kind: "notFound" })
}

export const accountHolder: Role = { includes: () => true, actorOf: () => ({}) }

export const {
  page: accountPage,
  provenPage,
  form: accountForm,
  fileForm: accountFileForm,
} = wrappersFor(accountHolder)

export function toSecurity(context: HttpContext, reply: HttpReply): HttpReply {
  return sendSeeOther(context, reply, `${context.basePath}/account/security`)
}
