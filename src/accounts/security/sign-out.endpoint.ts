/** POST /sign-out. On a consent page, another person may then sign in and continue the authorization request. */
import { renderSignedOut } from "../sessions/signed-out.view.ts"
import { signOut } from "../sessions/session.ts"
import { openContinuation } from "../sign-in/continuation.ts"
import { csrfToken, isFromOwnPage, isOwnForm } from "../sessions/csrf.ts"
import { rawFormOf } from "../../platform/http/request.ts"
import { pageInput } from "../../platform/http/http-context.ts"
import { sendErrorPage, sendPage, sendSeeOther } from "../../platform/http/respond.ts"
import { browserOf, clearSession } from "../sessions/browser-cookies.ts"
import { sendStartAgain } from "../guards/start-again.ts"
import { addressOf, type Endpoint } from "../../platform/http/endpoint.ts"

export const submitSignOut: Endpoint = async (context, request, reply) => {
  // Browsers send no cookies with a form from another site. The response to such a form must not change this browser's
  // cookies.
  if (!isFromOwnPage(context, request)) return sendErrorPage(context, reply, 403, { kind: "formForeign" })
  const browser = await browserOf(context, request)
  const values = rawFormOf(request)?.values
  const next = openContinuation(context.services.keys, values?.get("continue") ?? "")
  if (browser.held !== null) {
    if (!isOwnForm(context, request, csrfToken(browser), values?.get("csrf")))
      return sendStartAgain(context, reply, browser, next ?? "/account")
    await signOut(context.services, browser.held, addressOf(context, request))
  }
  clearSession(context, reply)
  if (next !== null) return sendSeeOther(context, reply, context.basePath + next)
  return sendPage(context, reply, 200, renderSignedOut(pageInput(context, request)))
}
