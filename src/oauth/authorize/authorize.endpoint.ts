/** GET /oauth/authorize: RFC 6749 §4.1.1; interface AUTHZ-*. */
import { wireError } from "../../model/refusals/reasons.rules.ts"
import { parseQuery, type Query } from "../../kernel/form.ts"
import { isDocumentUrl } from "../../kernel/identifier.ts"
import { OF_UNKNOWN_CLIENT } from "../../model/refusals/refusal.rules.ts"
import type { Requester } from "../clients/fetch-document.ts"
import type { AuthorizationRequest } from "./authorization-request.rules.ts"
import { authorize as authorizeRequest } from "./authorize.ts"
import { uiLocalesOf } from "../../platform/languages/choose.ts"
import { queryOf } from "../../platform/http/request.ts"
import { noteRefusal, sendErrorPage } from "../../platform/http/respond.ts"
import { browserOf } from "../../accounts/sessions/browser-cookies.ts"
import { sendBack, showConsent } from "./authorization-pages.ts"
import { appView } from "../../accounts/sign-in/app-view.ts"
import { showSignIn } from "../../accounts/sign-in/sign-in-page.ts"
import { errorPageOf } from "./error-page.ts"
import { redirectDescription } from "./redirect-description.rules.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"

export const authorize: Endpoint = async (context, request, reply) => {
  const query = queryOf(request)
  const parsed = parseQuery(query)
  const next = `/oauth/authorize?${query}`
  request.destination = next
  const isFetched = isDocumentUrl(parsed.form.values.get("client_id") ?? "")
  const early = isFetched ? await browserOf(context, request) : null
  const account = early?.signedIn?.account.userId
  const requester: Requester = account === undefined ? { cause: "visitor" } : { cause: "account", account }
  const authorization = await authorizeRequest(context.services, parsed, requester)
  switch (authorization.outcome) {
    case "own-page":
      request.presentedClientId = authorization.clientId
      if (!OF_UNKNOWN_CLIENT.has(authorization.refusal.reason)) request.knownClientId = authorization.clientId
      noteRefusal(context, request, authorization.refusal)
      // All visitors share one limit on document fetches. Signed-in accounts have their own limits, so a sign-in may
      // help.
      if (authorization.refusal.reason === "documentBusy" && early !== null && account === undefined)
        return showSignIn(context, reply, early, { status: 200, next, of: null, username: "", problem: null })
      return sendErrorPage(context, reply, 400, errorPageOf(authorization.refusal))
    case "back-to-app": {
      const { client, redirectUri, state, refusal } = authorization
      request.knownClientId = client.clientId
      noteRefusal(context, request, refusal)
      const { error } = wireError(refusal.reason)
      const echoed = state === null ? [] : [["state", state] as const]
      return sendBack(context, reply, redirectUri, [
        ["error", error],
        [
          "error_description",
          redirectDescription(context.services.catalog, refusal, client, parsed.form.values.get("scope")),
        ],
        ...echoed,
      ])
    }
    case "ask": {
      const browser = early ?? (await browserOf(context, request))
      const { client, document = null, request: asked } = authorization
      if (browser.signedIn !== null)
        return showConsent(
          context,
          reply,
          browser,
          browser.signedIn,
          { client, document },
          withUiLocale(context, asked, parsed),
          next,
        )
      const of = appView(client)
      return showSignIn(context, reply, browser, { status: 200, next, of, username: "", problem: null })
    }
  }
}

/** Of `ui_locales` only the language that it finds is kept. An unknown one is never an error. */
function withUiLocale(
  { services }: HttpContext,
  request: AuthorizationRequest,
  { form }: Query,
): AuthorizationRequest {
  const uiLocale = services.languages.find(uiLocalesOf(form.values.get("ui_locales") ?? ""))
  return uiLocale === null ? request : { ...request, uiLocale }
}
