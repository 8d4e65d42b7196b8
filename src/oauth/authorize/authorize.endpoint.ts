/** GET /oauth/authorize: RFC 6749 §4.1.1; interface AUTHZ-*. */
import { wireError } from "../reasons.rules.ts"
import { parseQuery } from "../../kernel/form.ts"
import type { Reason } from "../../oauth/refusal.rules.ts"
import type { ErrorKind } from "../../ui/error.ts"
import { authorize as authorizeRequest } from "./authorize.ts"
import { queryOf } from "../../http/request.ts"
import { noteRefusal, sendErrorPage } from "../../http/respond.ts"
import { browserOf } from "../../http/browser-cookies.ts"
import { sendBack, showConsent, showSignIn } from "./authorization-pages.ts"
import type { Endpoint } from "../../http/endpoint.ts"

export const authorize: Endpoint = async (context, request, reply) => {
  const query = queryOf(request)
  const authorization = await authorizeRequest(context.services, parseQuery(query))
  switch (authorization.outcome) {
    case "own-page":
      request.presentedClientId = authorization.clientId
      if (authorization.refusal.reason !== "clientUnknown") request.knownClientId = authorization.clientId
      noteRefusal(context, request, authorization.refusal)
      return sendErrorPage(context, reply, 400, pageOf(authorization.refusal.reason))
    case "back-to-app": {
      const { client, redirectUri, state, refusal } = authorization
      request.knownClientId = client.clientId
      noteRefusal(context, request, refusal)
      const { error, description } = wireError(refusal.reason)
      const echoed = state === null ? [] : [["state", state] as const]
      return sendBack(context, reply, redirectUri, [
        ["error", error],
        ["error_description", description],
        ...echoed,
      ])
    }
    case "ask": {
      const browser = await browserOf(context, request)
      const next = `/oauth/authorize?${query}`
      const { client, request: asked } = authorization
      if (browser.signedIn !== null)
        return showConsent(context, reply, browser, browser.signedIn, client, asked, next)
      const of = { client, request: asked }
      return showSignIn(context, reply, browser, { status: 200, next, of, username: "", problem: null })
    }
  }
}

function pageOf(reason: Reason): ErrorKind {
  switch (reason) {
    case "clientUnknown":
      return { kind: "appUnknown" }
    case "clientDisabled":
      return { kind: "appGone" }
    case "redirectUriUnregistered":
      return { kind: "returnAddressUnknown" }
    default:
      return { kind: "requestMalformed" }
  }
}
