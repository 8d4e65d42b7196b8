/**
 * The wrappers and helpers of all console pages. Every request reads the administrator's account again. Other accounts
 * get the response of an unknown path.
 */
import type { ConsoleInput } from "../../platform/ui/console/frame.ts"
import { renderNotFound } from "../../platform/ui/console/not-found.ts"
import { type AccountRequest, fieldOf } from "../../accounts/guards/account-request.ts"
import { requestOf, type Role, wrappersFor } from "../../accounts/guards/account-page.ts"
import { signedInView } from "../../accounts/guards/signed-in.ts"
import { CONSOLE_STYLE_SOURCE } from "../../platform/http/headers.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { sendErrorPage, sendPage, sendSeeOther } from "../../platform/http/respond.ts"
import { browserOf } from "../../accounts/sessions/browser-cookies.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"

/** A request of a signed-in administrator. */
export type ConsoleRequest = AccountRequest

/**
 * The role of an administrator. The audit trail records the administrator as actor, because another account or app is
 * changed.
 */
export const administrator: Role = {
  includes: ({ admin }) => admin,
  actorOf: ({ userId }) => ({ actorId: userId }),
}

export const {
  page: consolePage,
  provenPage: provenConsolePage,
  form: consoleForm,
  fileForm: consoleFileForm,
} = wrappersFor(administrator)

/** Shows "Page not found" in the frame of the console, with links to the console's other pages. */
export function notFound(context: HttpContext, reply: HttpReply, request: ConsoleRequest): HttpReply {
  return sendConsole(context, reply, renderNotFound(frameOf(context, request)), 404)
}

/** Handles every unknown path below /console. */
export const showNotFound: Endpoint = async (context, request, reply) => {
  const browser = await browserOf(context, request)
  const { signedIn } = browser
  if (signedIn?.account.admin !== true) return sendErrorPage(context, reply, 404, { kind: "notFound" })
  return notFound(context, reply, requestOf(context, request, administrator, { browser, signedIn }))
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

/** The data of the console's frame: the administrator and the notice. */
export function frameOf(context: HttpContext, request: ConsoleRequest): ConsoleInput {
  return { ...signedInView(context, request), done: fieldOf(request, "done") || null }
}

export { fieldOf }
