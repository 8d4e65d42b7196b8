/** GET /sign-in/with/{name}/callback: the browser comes back from the provider. */
import { sameCharacters } from "../../kernel/constant-time.ts"
import { err } from "../../kernel/result.ts"
import { type Browser, browserOf, hasSignedOut } from "../sessions/browser-cookies.ts"
import { vouchAgain } from "../sessions/session.ts"
import type { HttpReply, HttpRequest } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { queryOf } from "../../platform/http/request.ts"
import { sendErrorPage, sendSeeOther } from "../../platform/http/respond.ts"
import type { SignInProvider } from "../../model/sign-in/provider.rules.ts"
import type { Spent } from "../../store/limits.ts"
import { finishSignIn, visitorOf } from "../sign-in/sign-in-form.ts"
import { showSecondStep } from "../sign-in/second-step.endpoint.ts"
import type { SignInAttempt } from "../sessions/start-session.ts"
import { arrive, type ArriveAnswer } from "./arrive.ts"
import { showChooseName } from "./choose-name.endpoint.ts"
import { showOwnProblem } from "./own-problem.ts"
import { answerIn } from "./application/answer.ts"
import { flowOf } from "./leave.ts"
import { logFailure } from "./log-failure.ts"
import { forgetPending, hasPending, isInTime, openPending, type Pending, pendingNext } from "./pending.ts"
import { failureInWords, noAccountInWords, type ProviderProblem, refusedInWords } from "./provider-words.ts"
import { providerIn, showProblem } from "./provider-page.ts"
import { connect, type FinishStepUp, prove } from "./return-signed-in.ts"
import { askCounted, countTry, giveBackTries } from "./tries.ts"
import { gapSince, type ProofGap } from "./upstream/fresh-sign-in.rules.ts"
import type { UpstreamFailure } from "./upstream/upstream-failure.ts"
import type { Arrived } from "./upstream/upstream.ts"

type Return = {
  readonly browser: Browser
  readonly provider: SignInProvider
  readonly pending: Pending
}

/** `counted` is what a success gives back. */
type Exchanged = Return & { readonly counted: readonly Spent[] }

/** `finishStepUp` elevates a credential. */
export async function returnFromProvider(
  context: HttpContext,
  request: HttpRequest,
  reply: HttpReply,
  finishStepUp: FinishStepUp,
): Promise<HttpReply> {
  const provider = providerIn(context, request)
  if (provider === null) return sendErrorPage(context, reply, 404, { kind: "notFound" })
  const browser = await browserOf(context, request)
  const parameters = new URLSearchParams(queryOf(request))
  const answer = hasPending(request) ? answerIn(context.services, provider, parameters) : err(UNEXPECTED)
  const pending = answer.ok ? openPending(context, request, browser, answer.value.state) : null
  // Without its cookie, a callback costs no request. It may come from another browser: a link that was sent to a victim.
  if (!answer.ok || pending === null || !sameCharacters(pending.provider, provider.name))
    return showUnexpected(context, reply, browser, provider, answer.ok ? UNEXPECTED : answer.error)
  forgetPending(context, reply, pending)
  request.destination = pending.next
  const back = { browser, provider, pending }
  if (!isInTime(pending, context.services.clock.now()))
    return showUpstreamFailure(context, reply, back, { kind: "stale", detail: "signInLate" })
  const visitor = visitorOf(context, request, browser)
  const spent = await countTry(context.services, "return", visitor)
  if (!spent.admitted) {
    const { retryAfterSeconds } = spent
    reply.header("retry-after", retryAfterSeconds)
    return sendErrorPage(context, reply, 429, { kind: "throttled", retryAfterSeconds })
  }
  const flow = flowOf(context.services, provider, pending)
  const arrived = await askCounted(spent, () => answer.value.check(flow))
  if (!arrived.ok) return showUpstreamFailure(context, reply, back, arrived.error)
  const counted = [...pending.counted, ...spent.spent]
  const gap = gapAfterSignOut(context, request, back, arrived.value)
  if (gap !== null)
    return showRefused(context, reply, back, refusedInWords(browser.page.texts, provider, gap))
  if (pending.purpose !== "sign-in")
    return returnSignedIn(context, reply, { ...back, counted }, arrived.value, visitor, finishStepUp)
  const signedIn = await askCounted(spent, () =>
    arrive(context.services, provider, arrived.value, pending, visitor),
  )
  if (!signedIn.ok) return showUpstreamFailure(context, reply, back, signedIn.error)
  // Both have spent the ticket, so a callback that is sent again gives nothing back.
  if (signedIn.value.outcome === "signed-in" || signedIn.value.outcome === "second-step")
    await giveBackTries(context.services, counted, visitor)
  return sendAnswer(context, reply, { ...back, counted }, signedIn.value)
}

const UNEXPECTED: UpstreamFailure = { kind: "stale", detail: "challengeUnknown" }

/**
 * In a browser in which a person signed out here, an application that says when the person signed in names a new sign-in:
 * LOGIN-12.
 */
function gapAfterSignOut(
  context: HttpContext,
  request: HttpRequest,
  { provider, pending }: Return,
  { claims }: Arrived,
): ProofGap | null {
  const isAsked = provider.preset === "application" && hasSignedOut(context, request)
  const gap = isAsked ? gapSince(claims, pending.startedAt, context.services.clock.now()) : null
  return gap === "no-time" ? null : gap
}

/** An answer that this browser has not asked for. What the browser waits for stays. */
function showUnexpected(
  context: HttpContext,
  reply: HttpReply,
  browser: Browser,
  provider: SignInProvider,
  failure: UpstreamFailure,
) {
  const isApplication = provider.preset === "application"
  if (isApplication) logFailure(context, reply.request, provider, failure)
  const next = isApplication ? pendingNext(context, reply.request, browser) : null
  const text = failureInWords(browser.page.texts, provider, failure)
  return showProblem(context, reply, provider, { browser, next }, text)
}

function showUpstreamFailure(context: HttpContext, reply: HttpReply, back: Return, failure: UpstreamFailure) {
  const { browser, provider } = back
  logFailure(context, reply.request, provider, failure)
  return showFailure(context, reply, back, failureInWords(browser.page.texts, provider, failure))
}

function showRefused(context: HttpContext, reply: HttpReply, back: Return, problem: ProviderProblem) {
  const { why: detail } = problem
  if (detail !== undefined) logFailure(context, reply.request, back.provider, { kind: "refused", detail })
  return showFailure(context, reply, back, problem)
}

/** A person who is signed in sees the problem on an account page, and another on the sign-in page. */
function showFailure(context: HttpContext, reply: HttpReply, back: Return, problem: ProviderProblem) {
  const { browser, pending, provider } = back
  const { signedIn } = browser
  return pending.purpose !== "sign-in" && signedIn !== null
    ? showOwnProblem(context, reply, { browser, signedIn }, pending.purpose, problem, pending.next)
    : showProblem(context, reply, provider, { browser, ...pending }, problem)
}

async function returnSignedIn(
  context: HttpContext,
  reply: HttpReply,
  back: Exchanged,
  arrived: Arrived,
  visitor: SignInAttempt,
  finishStepUp: FinishStepUp,
): Promise<HttpReply> {
  const { browser, pending, provider } = back
  const { page, held } = browser
  // An assertion for the same subject renews the session, though its minutes passed meanwhile.
  const isOfApplication = provider.preset === "application" && pending.purpose !== "link"
  const isVouched = isOfApplication && held?.session.vouched?.by === provider.name
  const signedIn = isVouched ? held : browser.signedIn
  // The session that began must be the one that ends: another account may have signed in meanwhile.
  if (signedIn === null || signedIn.session.sessionHash !== pending.sessionHash)
    return showFailure(context, reply, back, refusedInWords(page.texts, provider, "stale"))
  const returned = { provider, arrived, pending, address: visitor.address }
  const finish = pending.purpose === "link" ? connect : prove
  const done =
    pending.purpose === "step-up"
      ? await finishStepUp(context, reply, { browser, signedIn }, returned)
      : await finish(page.texts, context.services, signedIn, returned)
  if (!done.ok) return showRefused(context, reply, back, done.error)
  if (isVouched) await vouchAgain(context.services, signedIn)
  await giveBackTries(context.services, back.counted, visitor)
  if (done.value !== null) return done.value
  return sendSeeOther(context, reply, context.basePath + (pending.next ?? "/account/security"))
}

function sendAnswer(
  context: HttpContext,
  reply: HttpReply,
  back: Exchanged,
  answer: ArriveAnswer,
): Promise<HttpReply> | HttpReply {
  const { browser, pending, provider } = back
  const { next } = pending
  const { texts } = browser.page
  const show = (problem: ProviderProblem) => showRefused(context, reply, back, problem)
  switch (answer.outcome) {
    case "signed-in":
      return finishSignIn(context, reply, browser, answer.secret, next)
    case "second-step": {
      const { account, through } = answer
      const shown = { status: 200, account, through, ticket: null, problem: null, next }
      return showSecondStep(context, reply, browser, shown)
    }
    case "choose-name": {
      const unnamed = { ...answer.unnamed, counted: back.counted }
      const problem = answer.isTaken ? texts.plain("username.taken") : null
      return showChooseName(context, reply, { browser, next }, unnamed, {
        username: answer.suggested,
        problem,
      })
    }
    case "no-account": {
      const problem = noAccountInWords(texts, provider.label, answer.why, answer.shownName)
      return show({ ...problem, why: `no account is linked: ${answer.detail}` })
    }
    case "address-held": {
      const why = `the account with this e-mail address is not connected by it: ${answer.why}`
      return show({ ...refusedInWords(texts, provider, answer.outcome), why })
    }
    case "of-another":
      return show({ status: 409, text: texts.html("connections.of-another") })
    case "disabled":
    case "not-set-up":
    case "stale":
      return show(refusedInWords(texts, provider, answer.outcome))
  }
}
