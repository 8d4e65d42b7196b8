/**
 * `GET|POST /oauth/end-session`: an app signs a person out. OpenID Connect RP-Initiated Logout; interface OIDC-13…15. A form
 * of an app leads to the same request by GET, because browsers send no cookies with a form of another site.
 */
import { csrfToken, isFromOwnPage, isOwnForm } from "../../accounts/sessions/csrf.ts"
import { type Browser, browserOf, clearSession } from "../../accounts/sessions/browser-cookies.ts"
import { sendStartAgain } from "../../accounts/guards/start-again.ts"
import { type SignedIn, signOut } from "../../accounts/sessions/session.ts"
import { sidOf } from "../../accounts/sessions/session-name.ts"
import { renderSignedOut } from "../../accounts/sessions/signed-out.view.ts"
import { parseQuery } from "../../kernel/form.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { END_SESSION_PATH } from "../../model/refusals/endpoints.rules.ts"
import type { HttpReply, HttpRequest } from "../../platform/http/connection/message.ts"
import { addressOf, type Endpoint } from "../../platform/http/endpoint.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { queryOf, rawFormOf } from "../../platform/http/request.ts"
import { noteRefusal, sendErrorPage, sendPage, sendSeeOther } from "../../platform/http/respond.ts"
import { sendByGet } from "../authorize/authorize-by-form.endpoint.ts"
import type { IdTokenHint } from "../openid/claims.rules.ts"
import { parseClientId } from "../clients/resolve.rules.ts"
import { endSessionStep, parseEndSession, type Step } from "./end-session.rules.ts"
import { renderEndSession } from "./end-session.view.ts"
import { openHint } from "../openid/id-token-hint.ts"

export const endSession: Endpoint = async (context, request, reply) =>
  answer(context, request, reply, await browserOf(context, request), false)

export const submitEndSession: Endpoint = async (context, request, reply) => {
  const csrf = rawFormOf(request)?.values.get("csrf")
  if (csrf === undefined) return sendByGet(context, request, reply, END_SESSION_PATH, "signOutMalformed")
  if (!isFromOwnPage(context, request)) return sendErrorPage(context, reply, 403, { kind: "formForeign" })
  const browser = await browserOf(context, request)
  const isOwn = isOwnForm(context, request, csrfToken(browser), csrf)
  if (!isOwn && browser.held !== null) return sendStartAgain(context, reply, browser, pathOf(request))
  return answer(context, request, reply, browser, isOwn)
}

function pathOf(request: HttpRequest): string {
  return `${END_SESSION_PATH}?${queryOf(request)}`
}

async function answer(
  context: HttpContext,
  request: HttpRequest,
  reply: HttpReply,
  browser: Browser,
  isConfirmed: boolean,
): Promise<HttpReply> {
  request.destination = pathOf(request)
  const { held } = browser
  const step = await stepOf(context, request, held, isConfirmed)
  if (step.step === "refuse") {
    noteRefusal(context, request, step.refusal)
    return sendErrorPage(context, reply, 400, { kind: "signOutMalformed" })
  }
  if (step.step === "ask" && held !== null) {
    const { username } = held.account
    const input = {
      ...browser.page,
      appName: step.client?.name ?? null,
      username,
      csrf: csrfToken(browser),
      path: pathOf(request),
    }
    return sendPage(context, reply, 200, renderEndSession(input), { waiting: "app" })
  }
  // Without a session, the request may come from a picture on another site, which must not change the cookies.
  if (held !== null) {
    await signOut(context.services, held, addressOf(context, request))
    clearSession(context, reply)
  }
  if (step.address === null) return sendPage(context, reply, 200, renderSignedOut(browser.page))
  reply.header("cross-origin-opener-policy", "unsafe-none")
  return sendSeeOther(context, reply, step.address)
}

async function stepOf(
  context: HttpContext,
  request: HttpRequest,
  held: SignedIn | null,
  isConfirmed: boolean,
): Promise<Step> {
  const { services } = context
  const asked = parseEndSession(parseQuery(queryOf(request)))
  if (!asked.ok) return { step: "refuse", refusal: asked.error }
  const { id_token_hint: text, client_id: clientId = "", post_logout_redirect_uri: uri } = asked.value
  const hint = text === undefined ? undefined : await openHint(services, text)
  const named = hint === undefined ? parseClientId(clientId) : (hint?.clientId ?? null)
  const { client } = await services.store.read({ client: named })
  request.knownClientId = client?.clientId ?? null
  // The request goes on without what is wrong. The page of the app shows it.
  const wrong = problemOf(uri, hint, client)
  if (wrong !== null) noteRefusal(context, request, { reason: "parameterMalformed", parameter: wrong })
  const session = held && { userId: held.account.userId, sid: sidOf(held.session) }
  return endSessionStep(asked.value, { session, hint, client, isConfirmed })
}

function problemOf(
  uri: string | undefined,
  hint: IdTokenHint | null | undefined,
  client: Client | null,
): string | null {
  if (hint === null) return "id_token_hint"
  const isWrong = uri !== undefined && client?.postLogoutRedirectUris.includes(uri) !== true
  return isWrong ? "post_logout_redirect_uri" : null
}
