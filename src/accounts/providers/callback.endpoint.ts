/** GET /sign-in/with/{name}/callback: the browser comes back from the provider. */
import { sameCharacters } from "../../kernel/constant-time.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"
import { type Browser, browserOf } from "../sessions/browser-cookies.ts"
import type { HttpReply, HttpRequest } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import type { AppView } from "../../platform/ui/monogram.ts"
import { queryOf } from "../../platform/http/request.ts"
import { sendErrorPage, sendSeeOther } from "../../platform/http/respond.ts"
import type { SignInProvider } from "../../model/sign-in/provider.rules.ts"
import type { Spent } from "../../store/store.ts"
import { checkCounted } from "../../platform/services/counted-attempt.ts"
import { finishSignIn, visitorOf } from "../sign-in/sign-in-form.ts"
import { showSecondStep } from "../sign-in/second-step.endpoint.ts"
import { arrive, type ArriveAnswer } from "./arrive.ts"
import { showChooseName } from "./choose-name.endpoint.ts"
import { showOwnProblem, TITLES } from "./own-problem.ts"
import { flowOf } from "./leave.ts"
import { logFailure } from "./log-failure.ts"
import { forgetPending, isInTime, openPending, type Pending } from "./pending.ts"
import {
  addressHeldInWords,
  disabledInWords,
  failureInWords,
  noAccountInWords,
  notSetUpInWords,
  type ProviderProblem,
  staleInWords,
} from "./provider-words.ts"
import { providerIn, showProblem } from "./provider-page.ts"
import { connect, isOfSession, prove } from "./return-signed-in.ts"
import { countTry, giveBackUnanswered } from "./tries.ts"
import { type Arrived, exchange } from "./upstream/upstream.ts"

type Return = {
  readonly request: HttpRequest
  readonly browser: Browser
  readonly provider: SignInProvider
  readonly pending: Pending
  readonly next: string | null
  readonly of: AppView | null
}

/** `counted` is what a success gives back. */
type Exchanged = Return & { readonly counted: readonly Spent[] }

export const returnFromProvider: Endpoint = async (context, request, reply) => {
  const provider = providerIn(context, request)
  if (provider === null) return sendErrorPage(context, reply, 404, { kind: "notFound" })
  const browser = await browserOf(context, request)
  const parameters = new URLSearchParams(queryOf(request))
  const pending = openPending(context, request, browser, parameters.get("state") ?? "")
  // Without its cookie, a callback costs no request. It may come from another browser: a link that was sent to a victim.
  if (pending === null || !sameCharacters(pending.provider, provider.name))
    return showProblem(context, reply, { browser, next: null, of: null }, staleInWords(provider.label))
  forgetPending(context, reply, pending)
  const { next } = pending
  const of = next === null ? null : await context.waitingApp(next)
  const back = { request, browser, provider, pending, next, of }
  if (!isInTime(pending, context.services.clock.now()))
    return showFailure(context, reply, back, staleInWords(provider.label))
  const visitor = visitorOf(context, request, browser)
  const spent = await countTry(context.services, "return", visitor)
  if (!spent.admitted) {
    const { retryAfterSeconds } = spent
    reply.header("retry-after", retryAfterSeconds)
    return sendErrorPage(context, reply, 429, { kind: "throttled", retryAfterSeconds })
  }
  const flow = flowOf(context.services, provider, pending)
  const arrived = await checkCounted(spent, () => exchange(context.services, provider, parameters, flow))
  if (!arrived.ok) {
    await giveBackUnanswered(context.services, arrived.error, spent.spent)
    logFailure(context, request, provider, arrived.error)
    return showFailure(context, reply, back, failureInWords(provider.label, arrived.error))
  }
  const counted = [...pending.counted, ...spent.spent]
  if (pending.purpose !== "sign-in")
    return returnSignedIn(context, reply, { ...back, counted }, arrived.value, visitor.address)
  const answer = await checkCounted(spent, () =>
    arrive(context.services, provider, arrived.value, pending.ticketId, visitor),
  )
  // Both have spent the ticket, so a callback that is sent again gives nothing back.
  if (answer.outcome === "signed-in" || answer.outcome === "second-step")
    await context.services.guesses.giveBack(counted)
  return sendAnswer(context, reply, { ...back, counted }, answer)
}

/** A person who is signed in sees the problem on an account page, and another on the sign-in page. */
function showFailure(context: HttpContext, reply: HttpReply, back: Return, problem: ProviderProblem) {
  const { browser, pending } = back
  const { signedIn } = browser
  return pending.purpose !== "sign-in" && signedIn !== null
    ? showOwnProblem(context, reply, { browser, signedIn }, TITLES[pending.purpose], problem)
    : showProblem(context, reply, back, problem)
}

async function returnSignedIn(
  context: HttpContext,
  reply: HttpReply,
  back: Exchanged,
  arrived: Arrived,
  address: string,
): Promise<HttpReply> {
  const { browser, pending, provider, next } = back
  const { signedIn } = browser
  // The session that began must be the one that ends: another account may have signed in meanwhile.
  if (!isOfSession(pending, signedIn)) return showFailure(context, reply, back, staleInWords(provider.label))
  const done =
    pending.purpose === "link"
      ? await connect(context.services, provider, arrived, pending, signedIn, address)
      : await prove(context.services, provider, arrived, pending, signedIn)
  if (!done.ok) return showFailure(context, reply, back, done.error)
  await context.services.guesses.giveBack(back.counted)
  return sendSeeOther(context, reply, context.basePath + (next ?? "/account/security"))
}

function sendAnswer(
  context: HttpContext,
  reply: HttpReply,
  back: Exchanged,
  answer: ArriveAnswer,
): Promise<HttpReply> | HttpReply {
  const { browser, next, of, provider, request } = back
  const { label } = provider
  switch (answer.outcome) {
    case "signed-in":
      return finishSignIn(context, reply, browser, answer.secret, next)
    case "second-step": {
      const { account, through } = answer
      const shown = { status: 200, account, through, ticket: null, problem: null, next, of }
      return showSecondStep(context, reply, browser, shown)
    }
    case "choose-name":
      return showChooseName(
        context,
        reply,
        back,
        { ...answer.unnamed, counted: back.counted },
        {
          username: answer.suggested,
          problem: null,
        },
      )
    case "failed":
      logFailure(context, request, provider, answer.failure)
      return showProblem(context, reply, back, failureInWords(label, answer.failure))
    case "no-account":
      logFailure(context, request, provider, {
        kind: "refused",
        detail: `no account is linked: ${answer.detail}`,
      })
      return showProblem(context, reply, back, noAccountInWords(label, answer.why, answer.shownName))
    case "address-held":
      logFailure(context, request, provider, {
        kind: "refused",
        detail: `the account with this e-mail address is not connected by it: ${answer.why}`,
      })
      return showProblem(context, reply, back, addressHeldInWords(label))
    case "disabled":
      return showProblem(context, reply, back, disabledInWords())
    case "not-set-up":
      return showProblem(context, reply, back, notSetUpInWords())
    case "stale":
      return showProblem(context, reply, back, staleInWords(label))
  }
}
