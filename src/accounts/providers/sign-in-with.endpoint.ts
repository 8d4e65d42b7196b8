/**
 * POST /sign-in/with/{name}: a person chooses a provider on the sign-in page. With an application that is the only way to
 * sign in, GET /sign-in does it.
 */
import type { SignInProvider } from "../../model/sign-in/provider.rules.ts"
import type { HttpReply, HttpRequest } from "../../platform/http/connection/message.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { sendPage } from "../../platform/http/respond.ts"
import { sealContinuation, signInPath } from "../sign-in/continuation.ts"
import type { LeaveForOnly } from "../sign-in/sign-in.endpoint.ts"
import { leaveForSignIn, type SignInForm, visitorOf } from "../sign-in/sign-in-form.ts"
import { renderContinue } from "./continue.view.ts"
import { leaveCounted } from "./leave.ts"
import { pendingNext } from "./pending.ts"
import { providerForm, showProblem } from "./provider-page.ts"

/** A browser that reloads the page between starts the sign-in again. */
export const leaveSignInWith: Endpoint = leaveForSignIn(pendingNext)

export const submitSignInWith = providerForm((context, reply, form) =>
  leaveToSignIn(context, reply, form.provider, form),
)

/** Leads at once to the application that is the only way to sign in. A request that only looks ahead begins nothing. */
export const leaveForOnly: LeaveForOnly = async (context, reply, { browser, next, provider }) => {
  const { request } = reply
  if (!looksAhead(request)) {
    const visitor = visitorOf(context, request, browser)
    return leaveToSignIn(context, reply, provider, { browser, next, visitor })
  }
  const url = context.basePath + signInPath(sealContinuation(context.services.keys, next))
  return sendPage(context, reply, 200, renderContinue({ ...browser.page, label: provider.label, url }))
}

/** Whether the request is not a visit of a person, which alone may begin a sign-in and count as one. */
function looksAhead({ method, headers }: HttpRequest): boolean {
  const kind = headers["sec-fetch-dest"] ?? "document"
  return method === "HEAD" || headers["sec-purpose"] !== undefined || kind !== "document"
}

async function leaveToSignIn(
  context: HttpContext,
  reply: HttpReply,
  provider: SignInProvider,
  visit: Pick<SignInForm, "browser" | "next" | "visitor">,
): Promise<HttpReply> {
  const { browser, next, visitor } = visit
  const leaving = { purpose: "sign-in", sessionHash: null, next } as const
  const left = await leaveCounted(context, reply, browser, provider, visitor, leaving)
  return left.ok ? left.value : showProblem(context, reply, provider, visit, left.error)
}
