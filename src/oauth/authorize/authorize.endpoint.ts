/** GET /oauth/authorize: RFC 6749 §4.1.1; interface AUTHZ-*. */
import { wireError } from "../../model/refusals/reasons.rules.ts"
import { parseQuery, type Query } from "../../kernel/form.ts"
import { isDocumentUrl } from "../../kernel/identifier.ts"
import { OF_UNKNOWN_CLIENT } from "../../model/refusals/refusal.rules.ts"
import type { Requester } from "../clients/fetch-document.ts"
import type { AuthorizationRequest } from "./authorization-request.rules.ts"
import { authorize as authorizeRequest, type Authorizing } from "./authorize.ts"
import { uiLocalesOf } from "../../platform/languages/choose.ts"
import { queryOf } from "../../platform/http/request.ts"
import { noteRefusal, sendErrorPage } from "../../platform/http/respond.ts"
import { type Browser, browserOf } from "../../accounts/sessions/browser-cookies.ts"
import { sendBack, sendCode, showConsent } from "./authorization-pages.ts"
import { appView } from "../../accounts/sign-in/app-view.ts"
import { showSignIn } from "../../accounts/sign-in/sign-in-page.ts"
import { beganIn, withBegan } from "../openid/began.ts"
import { hintedAccount } from "../openid/id-token-hint.ts"
import { nextStep } from "../openid/next-step.rules.ts"
import { errorPageOf } from "./error-page.ts"
import { isRememberable } from "./remembered.rules.ts"
import { grantRemembered, isCovered } from "./remembered-consent.ts"
import { redirectDescription } from "./redirect-description.rules.ts"
import { addressOf, type Endpoint } from "../../platform/http/endpoint.ts"
import type { HttpReply, HttpRequest } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"

const PATH = "/oauth/authorize?"

type BackToApp = Extract<Authorizing, { outcome: "back-to-app" }>

export const authorize: Endpoint = async (context, request, reply) => {
  const query = queryOf(request)
  const parsed = parseQuery(query)
  const next = PATH + query
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
        return showSignIn(context, reply, early, { next, of: null })
      return sendErrorPage(context, reply, 400, errorPageOf(authorization.refusal))
    case "back-to-app":
      return sendRefused(context, request, reply, authorization, parsed)
    case "ask": {
      const browser = early ?? (await browserOf(context, request))
      return sendNextStep(context, request, reply, browser, authorization, parsed)
    }
  }
}

/** Only after client and redirect URI are valid. */
export function sendRefused(
  context: HttpContext,
  request: HttpRequest,
  reply: HttpReply,
  { client, redirectUri, state, refusal }: Pick<BackToApp, "client" | "redirectUri" | "state" | "refusal">,
  { form }: Query,
): HttpReply {
  request.knownClientId = client.clientId
  noteRefusal(context, request, refusal)
  const { catalog } = context.services
  return sendBack(context, reply, redirectUri, [
    ["error", wireError(refusal.reason).error],
    ["error_description", redirectDescription(catalog, refusal, client, form.values.get("scope"))],
    ...(state === null ? [] : [["state", state] as const]),
  ])
}

async function sendNextStep(
  context: HttpContext,
  request: HttpRequest,
  reply: HttpReply,
  browser: Browser,
  { client, document, request: asked }: Extract<Authorizing, { outcome: "ask" }>,
  parsed: Query,
): Promise<HttpReply> {
  const { keys, clock } = context.services
  const query = queryOf(request)
  const { signedIn } = browser
  const hint = asked.idTokenHint
  const hinted = hint === undefined ? undefined : await hintedAccount(context.services, hint, client)
  const session = signedIn?.session ?? null
  // What only looks ahead makes no credential.
  const isLookingAhead = request.method === "HEAD" || request.headers["sec-purpose"] !== undefined
  const mayBe = !isLookingAhead && isRememberable(context.services.catalog, client, asked)
  // The answer to `max_age` says how old the last proof is.
  const isExact = mayBe && asked.maxAge !== undefined && signedIn !== null
  const isRemembered = isExact ? await isCovered(context.services, asked, signedIn) : mayBe
  const facts = { session, hinted, began: beganIn(keys, browser, query), isRemembered }
  let next = nextStep(asked, facts, clock.now())
  if (next.step === "grant" && signedIn !== null) {
    const address = addressOf(context, request)
    const granted = await grantRemembered(context.services, asked, signedIn, address)
    if (granted !== null) return sendCode(context, reply, granted)
    // No consent covers the request.
    next = nextStep(asked, { ...facts, isRemembered: false }, clock.now())
  }
  if (next.step === "refuse")
    return sendRefused(context, request, reply, { ...asked, client, refusal: next.refusal }, parsed)
  if (next.step === "sign-in" || signedIn === null) {
    const began = next.step === "sign-in" && next.isProofNeeded
    const known = hinted === undefined || hinted === signedIn?.account.userId ? signedIn : null
    return showSignIn(context, reply, browser, {
      next: PATH + (began ? withBegan(keys, browser, query, clock.now()) : query),
      of: appView(client),
      username: asked.loginHint ?? known?.account.username ?? "",
    })
  }
  const localized = withUiLocale(context, asked, parsed)
  return showConsent(
    context,
    reply,
    browser,
    signedIn,
    { client, document: document ?? null },
    localized,
    PATH + query,
  )
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
