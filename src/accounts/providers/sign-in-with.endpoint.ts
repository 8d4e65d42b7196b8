/** POST /sign-in/with/{name}: a person chooses a provider on the sign-in page. */
import type { Endpoint } from "../../platform/http/endpoint.ts"
import { sendErrorPage } from "../../platform/http/respond.ts"
import { showSignIn } from "../sign-in/sign-in-page.ts"
import { leaveForSignIn, signInForm } from "../sign-in/sign-in-form.ts"
import { leaveFor, type Leaving } from "./leave.ts"
import { logFailure } from "./log-failure.ts"
import { failureInWords } from "./provider-words.ts"
import { pendingNext } from "./pending.ts"
import { providerIn, showProblem } from "./provider-page.ts"
import { askCounted, countTry } from "./tries.ts"

/** A browser that reloads the page between starts the sign-in again. */
export const leaveSignInWith: Endpoint = leaveForSignIn(pendingNext)

const submit = signInForm(async (context, reply, form) => {
  const { request, browser, next, of, visitor } = form
  const provider = providerIn(context, request)
  if (provider === null) return sendErrorPage(context, reply, 404, { kind: "notFound" })
  const spent = await countTry(context.services, "start", visitor)
  if (!spent.admitted) {
    reply.header("retry-after", spent.retryAfterSeconds)
    const problem = { problem: "throttled", retryAfterSeconds: spent.retryAfterSeconds } as const
    return showSignIn(context, reply, browser, { status: 429, next, of, username: "", problem })
  }
  const leaving: Leaving = { purpose: "sign-in", sessionHash: null, next, counted: spent.spent }
  const left = await askCounted(spent, () => leaveFor(context, reply, browser, provider, leaving))
  if (left.ok) return left.value
  logFailure(context, request, provider, left.error)
  return showProblem(context, reply, form, failureInWords(browser.page.texts, provider.label, left.error))
})

export const submitSignInWith: Endpoint = (context, request, reply) =>
  providerIn(context, request) === null
    ? sendErrorPage(context, reply, 404, { kind: "notFound" })
    : submit(context, request, reply)
