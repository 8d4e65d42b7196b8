/** GET and POST /sign-in: name and password. An account with a second factor continues with the second step. */
import type { SignInProblem } from "../factors/sign-in.view.ts"
import { signIn } from "./sign-in.ts"
import { sendSeeOther } from "../../platform/http/respond.ts"
import { type Browser, browserOf } from "../sessions/browser-cookies.ts"
import { showSignIn } from "./sign-in-page.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import type { ApplicationProvider } from "../../model/sign-in/provider.rules.ts"
import { showSecondStep } from "./second-step.endpoint.ts"
import { needsNewProof } from "./continuation.ts"
import { applicationFor } from "./only.ts"
import { continuationOf, finishSignIn, signInForm } from "./sign-in-form.ts"

/** Leads a browser to the application that is the only way to sign in. */
export type LeaveForOnly = (
  context: HttpContext,
  reply: HttpReply,
  of: { readonly browser: Browser; readonly next: string | null; readonly provider: ApplicationProvider },
) => Promise<HttpReply>

export const signInPage =
  (leave: LeaveForOnly): Endpoint =>
  async (context, request, reply) => {
    const browser = await browserOf(context, request)
    const next = continuationOf(context, request)
    const provider = applicationFor(context, request, browser, next)
    const isDone = browser.signedIn !== null && (provider === null || !needsNewProof(next))
    if (isDone) return sendSeeOther(context, reply, context.basePath + (next ?? "/account"))
    if (provider !== null) return leave(context, reply, { browser, next, provider })
    return showSignIn(context, reply, browser, { next })
  }

export const submitSignIn: Endpoint = signInForm(
  async (context, reply, { browser, values, next, visitor }) => {
    const username = values.get("username") ?? ""
    const password = values.get("password") ?? ""
    const answer = await signIn(context.services, { ...visitor, username, password })
    const again = (status: number, problem: SignInProblem) =>
      showSignIn(context, reply, browser, { status, next, username, problem })
    switch (answer.outcome) {
      case "signed-in":
        return finishSignIn(context, reply, browser, answer.secret, next)
      case "second-step": {
        const { account } = answer
        const shown = { status: 200, account, ticket: null, problem: null, next }
        return showSecondStep(context, reply, browser, shown)
      }
      case "wait":
        reply.header("retry-after", answer.seconds)
        return again(429, { problem: "throttled", retryAfterSeconds: answer.seconds })
      case "busy":
        reply.header("retry-after", answer.seconds)
        return again(503, { problem: "busy" })
      case "wrong":
        return again(403, { problem: "wrong" })
    }
  },
)
