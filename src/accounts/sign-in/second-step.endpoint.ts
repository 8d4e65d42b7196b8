/** POST /sign-in/code and /sign-in/passkey: the second step of a sign-in, and sign-in by passkey alone. */
import type { Person } from "../../model/account.rules.ts"
import { renderSecondStep } from "./second-step.view.ts"
import type { ProofProblem } from "../factors/proof.view.ts"
import type { ThroughProvider } from "./given.rules.ts"
import { askSecondStep, signInByPasskey, takeSecondStep } from "./second-step.ts"
import { waitingBehind } from "./continuation.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { sendPage } from "../../platform/http/respond.ts"
import { type Browser, keepBrowser } from "../sessions/browser-cookies.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { showSignIn } from "./sign-in-page.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"
import { passkeyAnswerOf, proofOf, proofProblem, proofView } from "../factors/proof-form.ts"
import { finishSignIn, leaveForSignIn, signInForm } from "./sign-in-form.ts"
import { pageOnTheWay } from "./only.ts"
import { keepWaiting, keptWaiting } from "./waiting-cookie.ts"

type Shown = {
  readonly status: number
  /** The path and query that the browser visits after the sign-in. */
  readonly next: string | null
  readonly account: Person
  /** The ticket of an earlier attempt. If it is null, the page gets a new ticket. */
  readonly ticket: string | null
  /** How a new ticket came about. Without it, by the password. */
  readonly through?: ThroughProvider
  readonly problem: ProofProblem | null
}

/** Shows the page of the second step. The browser is not signed in yet. */
export async function showSecondStep(
  context: HttpContext,
  reply: HttpReply,
  browser: Browser,
  { status, account, ticket, through, problem, next }: Shown,
): Promise<HttpReply> {
  keepBrowser(context, reply, browser)
  if (next !== null) keepWaiting(context, reply, browser, next)
  const { services } = context
  const question = await askSecondStep(services, account, browser.secret, ticket, through)
  const proof = proofView(question, problem)
  const page = renderSecondStep({
    ...pageOnTheWay(context, browser, next),
    ticket: question.ticket,
    proof,
  })
  return sendPage(context, reply, status, page, {
    waiting: waitingBehind(services.keys, next),
    runsScript: proof.passkey !== null,
  })
}

/** A browser that reloads the second step starts the sign-in again. */
export const leaveSecondStep: Endpoint = leaveForSignIn(keptWaiting)

export const submitSecondStep: Endpoint = signInForm(
  async (context, reply, { browser, values, next, visitor }) => {
    const ticket = values.get("ticket") ?? ""
    const answer = await takeSecondStep(context.services, ticket, proofOf(values), visitor)
    switch (answer.outcome) {
      case "signed-in":
        return finishSignIn(context, reply, browser, answer.secret, next)
      case "stale":
        return showSignIn(context, reply, browser, { status: 403, next, problem: { problem: "stale" } })
      case "wait":
      case "wrong":
      case "closed":
        if (answer.outcome === "wait") reply.header("retry-after", answer.seconds)
        return showSecondStep(context, reply, browser, { ...answer, ...proofProblem(answer), ticket, next })
    }
  },
)

export const submitPasskeySignIn: Endpoint = signInForm(
  async (context, reply, { browser, values, next, visitor }) => {
    const answer = await signInByPasskey(context.services, passkeyAnswerOf(values), visitor)
    switch (answer.outcome) {
      case "signed-in":
        return finishSignIn(context, reply, browser, answer.secret, next)
      case "wait": {
        reply.header("retry-after", answer.seconds)
        const problem = { problem: "throttled", retryAfterSeconds: answer.seconds } as const
        return showSignIn(context, reply, browser, { status: 429, next, problem })
      }
      case "wrong":
        return showSignIn(context, reply, browser, { status: 403, next, problem: { problem: "passkey" } })
    }
  },
)
