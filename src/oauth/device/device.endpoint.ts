/**
 * GET /oauth/device: a person types or confirms the code that a device shows; interface DPAGE-*. Only a signed-in
 * person can look up a code. A valid code leads to the consent page.
 */
import { parseForm } from "../../kernel/form.ts"
import { devicePath } from "./user-code.rules.ts"
import { type DeviceProblem, renderDevice } from "./device.view.ts"
import { lookUpUserCode } from "./find-device-grant.ts"
import { budgetKey } from "../../platform/http/connection/client-address.ts"
import { csrfToken } from "../../accounts/sessions/csrf.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { queryOf } from "../../platform/http/request.ts"
import { noteRefusal, sendErrorPage, sendPage } from "../../platform/http/respond.ts"
import { browserOf } from "../../accounts/sessions/browser-cookies.ts"
import { DEVICE_PATH } from "../../platform/http/waiting.rules.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import type { SignedInBrowser } from "../../accounts/guards/account-request.ts"
import { showSignIn } from "../../accounts/sign-in/sign-in-page.ts"
import { errorPageOf } from "../authorize/error-page.ts"
import { type ShowStepUp, showDeviceConsent } from "./device-pages.ts"
import { addressOf, type Endpoint } from "../../platform/http/endpoint.ts"

/** The device page. `showStepUp` renders the page of a step-up. */
export const devicePage =
  (showStepUp: ShowStepUp): Endpoint =>
  async (context, request, reply) => {
    const typed = typedCode(queryOf(request))
    const browser = await browserOf(context, request)
    const { signedIn } = browser
    if (signedIn === null) {
      const next = typed === null ? DEVICE_PATH : devicePath(typed)
      return showSignIn(context, reply, browser, { next })
    }
    const lookup = { browser, signedIn, typed: typed ?? "" }
    if (typed === null) return show(context, reply, lookup, 200, null)

    const found = await lookUpUserCode(
      context.services,
      typed,
      signedIn,
      budgetKey(addressOf(context, request)),
    )
    switch (found.outcome) {
      case "found":
        return showDeviceConsent(context, reply, browser, signedIn, found, showStepUp)
      case "refused":
        noteRefusal(context, request, found.refusal)
        return sendErrorPage(context, reply, 400, errorPageOf(found.refusal))
      case "none":
        return show(context, reply, lookup, 400, { problem: "none" })
      case "wait":
        reply.header("retry-after", found.seconds)
        return show(context, reply, lookup, 429, {
          problem: "throttled",
          retryAfterSeconds: found.seconds,
        })
    }
  }

/** Returns the code in the query. Returns null if it is missing, and an empty text if it is repeated or malformed. */
function typedCode(query: string): string | null {
  const form = parseForm(query)
  if (form === null || form.repeated.has("user_code")) return ""
  return form.values.get("user_code") ?? null
}

type Lookup = SignedInBrowser & { readonly typed: string }

function show(
  context: HttpContext,
  reply: HttpReply,
  { browser, signedIn: { account }, typed }: Lookup,
  status: number,
  problem: DeviceProblem | null,
): HttpReply {
  const { username } = account
  const page = renderDevice({ ...browser.page, csrf: csrfToken(browser), username, typed, problem })
  return sendPage(context, reply, status, page, { waiting: "device" })
}
