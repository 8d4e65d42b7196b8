/**
 * The wrappers of all console pages. Every request reads the administrator's account again. Other accounts get the
 * response of an unknown path.
 */
import type { FormPath } from "../../accounts/elevation.rules.ts"
import { type AccountRequest, fieldOf } from "../../accounts/guards/account-request.ts"
import {
  type EffectsOfRequest,
  requestOf,
  type Role,
  wrappersFor,
} from "../../accounts/guards/account-page.ts"
import { signedInView } from "../../accounts/guards/signed-in.ts"
import { browserOf } from "../../accounts/sessions/browser-cookies.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { sendErrorPage, sendPage, sendSeeOther } from "../../platform/http/respond.ts"
import { ENGLISH } from "../../platform/languages/languages.ts"
import type { Services } from "../../platform/services/services.ts"
import type { ConsoleInput } from "../../platform/ui/console/frame.ts"
import { renderNotFound } from "../../platform/ui/console/not-found.ts"

type Status = 200 | 400 | 404 | 409

/** A request of a signed-in administrator, and the responses to it. */
export type ConsoleRequest = AccountRequest & {
  readonly context: HttpContext
  readonly reply: HttpReply
  readonly services: Services
  /** The data of the console's frame: the administrator and the notice. */
  readonly frame: ConsoleInput
  /** Returns a field of the query or form. A missing field is an empty text. */
  readonly field: (name: string) => string
  readonly send: (page: string, status?: Status) => HttpReply
  /** Redirects to a path of the service. */
  readonly redirect: (path: string) => HttpReply
  /** Shows "Page not found" in the frame of the console, with links to the console's other pages. */
  readonly notFound: () => HttpReply
}

type Run = (request: ConsoleRequest) => Promise<HttpReply> | HttpReply

/**
 * The role of an administrator. The audit trail records the administrator as actor, because another account or app is
 * changed.
 */
const administrator: Role = {
  includes: ({ admin }) => admin,
  actorOf: ({ userId }) => ({ actorId: userId }),
}

export const administratorWrappers = wrappersFor(administrator)

export function consolePage(path: string, run: Run): Endpoint {
  return administratorWrappers.page(path, withConsole(run))
}

/** A page that asks for a recent factor first, if its form needs one. */
export function provenConsolePage(path: FormPath, run: Run): Endpoint {
  return administratorWrappers.provenPage(path, withConsole(run))
}

export function consoleForm<P extends FormPath>(
  path: P,
  run: Run,
  effectsOf?: EffectsOfRequest<P>,
): Endpoint {
  return administratorWrappers.form(path, withConsole(run), effectsOf)
}

function withConsole(run: Run) {
  return (context: HttpContext, reply: HttpReply, request: AccountRequest) =>
    run({
      ...request,
      context,
      reply,
      services: context.services,
      frame: frameOf(context, request),
      field: (name) => fieldOf(request, name),
      send: (page, status) => sendConsole(context, reply, page, status),
      redirect: (path) => sendSeeOther(context, reply, context.basePath + path),
      notFound: () => notFound(context, reply, request),
    })
}

export function notFound(context: HttpContext, reply: HttpReply, request: AccountRequest): HttpReply {
  return sendConsole(context, reply, renderNotFound(frameOf(context, request)), 404)
}

/** Handles every unknown path below /console. */
export const showNotFound: Endpoint = async (context, request, reply) => {
  const browser = await browserOf(context, request)
  const { signedIn } = browser
  if (signedIn?.account.admin !== true) return sendErrorPage(context, reply, 404, { kind: "notFound" })
  return notFound(context, reply, requestOf(context, request, administrator, { browser, signedIn }))
}

export function sendConsole(
  context: HttpContext,
  reply: HttpReply,
  page: string,
  status: Status = 200,
): HttpReply {
  return sendPage(context, reply, status, page)
}

/** The console is in English, whatever language the person chose. */
export function frameOf({ services }: HttpContext, request: AccountRequest): ConsoleInput {
  const texts = services.languages.textsOf(ENGLISH)
  return { ...signedInView(request), texts, self: null, done: fieldOf(request, "done") || null }
}
