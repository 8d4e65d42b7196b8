/** GET and POST /recover: asks for a link, and uses one. RECOVER-1…RECOVER-7. */
import { parseForm } from "../../kernel/form.ts"
import { PASSWORD_LENGTH } from "../../kernel/account-limits.ts"
import { visitorToken } from "../sessions/csrf.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { queryOf } from "../../platform/http/request.ts"
import { sendPage } from "../../platform/http/respond.ts"
import { type Browser, browserOf, keepBrowser } from "../sessions/browser-cookies.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"
import { waitOf } from "../../platform/languages/span.rules.ts"
import { gone } from "../email/link-page.ts"
import { proofOf, proofProblem, proofView } from "../factors/proof-form.ts"
import type { ProofProblem } from "../factors/proof.view.ts"
import type { SignInAttempt } from "../sessions/start-session.ts"
import { openContinuation, sealContinuation, waitingBehind } from "../sign-in/continuation.ts"
import { forgetWaiting, keepWaiting, keptWaiting } from "../sign-in/waiting-cookie.ts"
import { continuationOf, finishSignIn, visitorForm } from "../sign-in/sign-in-form.ts"
import {
  askRecoveryProof,
  openRecovery,
  type OpenedRecovery,
  proveForRecovery,
  recover,
  requestRecovery,
} from "./recovery.ts"
import {
  type AskForLinkInput,
  renderAskForLink,
  renderLinkOnItsWay,
  renderNewPasswordByLink,
  renderProofForLink,
  renderRecoveryWithoutMail,
} from "./recovery.view.ts"

type Exchange = {
  readonly context: HttpContext
  readonly reply: HttpReply
  readonly browser: Browser
  /** The path and query that the browser visits after the sign-in, or null. */
  readonly next: string | null
}

export const showRecover: Endpoint = async (context, request, reply) => {
  const secret = parseForm(queryOf(request))?.values.get("link")
  const browser = await browserOf(context, request)
  const carried = continuationOf(context, request)
  if (secret === undefined) {
    // Another person may use this browser: only a page that carries what waits continues it.
    if (carried === null) forgetWaiting(context, reply)
    return showAsk({ context, reply, browser, next: carried }, 200)
  }
  const next = carried ?? keptWaiting(context, request, browser)
  request.destination = next
  const exchange = { context, reply, browser, next }
  const opened = await openRecovery(context.services, secret)
  return opened === null
    ? gone(context, reply, next)
    : showFirst(exchange, opened, secret, { status: 200, problem: null })
}

export const submitRecover = visitorForm(async (context, reply, form) => {
  const { browser, values, visitor: attempt } = form
  const { request } = reply
  const { keys } = context.services
  const secret = values.get("link")
  const carried = openContinuation(keys, values.get("continue") ?? "")
  const next = carried ?? (secret === undefined ? null : keptWaiting(context, request, browser))
  request.destination = next
  const exchange = { context, reply, browser, next }
  if (secret === undefined) return ask(exchange, values.get("name") ?? "", attempt)
  if (!values.has("new_password")) return prove(exchange, secret, values, attempt)
  return setPassword(exchange, secret, values, attempt)
})

async function ask(exchange: Exchange, name: string, attempt: SignInAttempt): Promise<HttpReply> {
  const { context, reply, browser, next } = exchange
  const { texts } = browser.page
  if (next !== null) keepWaiting(context, reply, browser, next)
  if (context.services.mail === null) return showAsk(exchange, 200)
  const answer = await requestRecovery(context.services, name, attempt)
  switch (answer.outcome) {
    case "accepted":
      return sendPage(context, reply, 200, renderLinkOnItsWay(onTheWay(exchange)), policyOf(exchange))
    case "empty":
      return showAsk(exchange, 400, { typed: name, problem: texts.plain("recover.empty") })
    case "busy":
      reply.header("retry-after", 5)
      return showAsk(exchange, 503, { typed: name, later: texts.html("recover.busy") })
    case "wait": {
      reply.header("retry-after", answer.seconds)
      const later = texts.html("recover.throttled", waitOf(answer.seconds))
      return showAsk(exchange, 429, { typed: name, later })
    }
  }
}

async function prove(
  exchange: Exchange,
  secret: string,
  values: ReadonlyMap<string, string>,
  attempt: SignInAttempt,
): Promise<HttpReply> {
  const { context, reply } = exchange
  const opened = await openRecovery(context.services, secret)
  if (opened === null) return gone(context, reply, exchange.next)
  const answer = await proveForRecovery(context.services, opened, proofOf(values), attempt)
  if (answer.outcome === "right") return showPassword(exchange, opened, secret, answer.ticket, 200, null)
  if (answer.outcome === "wait") reply.header("retry-after", answer.seconds)
  return showFirst(exchange, opened, secret, proofProblem(answer))
}

async function setPassword(
  exchange: Exchange,
  secret: string,
  values: ReadonlyMap<string, string>,
  attempt: SignInAttempt,
): Promise<HttpReply> {
  const { context, reply, browser, next } = exchange
  const ticket = values.get("ticket") ?? ""
  const password = values.get("new_password") ?? ""
  const answer = await recover(context.services, secret, { password, ticket }, attempt)
  if (answer.outcome === "done") return finishSignIn(context, reply, browser, answer.sessionSecret, next)
  const opened = await openRecovery(context.services, secret)
  if (answer.outcome === "gone" || opened === null) return gone(context, reply, next)
  if (answer.outcome === "unproven")
    return showFirst(exchange, opened, secret, { status: 403, problem: null })
  const problem = browser.page.texts.plain(`password.${answer.problem}`, PASSWORD_LENGTH)
  return showPassword(exchange, opened, secret, ticket, 400, problem)
}

function showAsk(
  exchange: Exchange,
  status: number,
  form: Pick<AskForLinkInput, "typed" | "problem" | "later"> = {},
): HttpReply {
  const { context, reply, browser } = exchange
  keepBrowser(context, reply, browser)
  const page =
    context.services.mail === null
      ? renderRecoveryWithoutMail(onTheWay(exchange))
      : renderAskForLink({ ...onTheWay(exchange), csrf: visitorToken(browser), ...form })
  return sendPage(context, reply, status, page, policyOf(exchange))
}

function onTheWay({ context: { services }, browser, next }: Exchange) {
  return { ...browser.page, continueTo: sealContinuation(services.keys, next) }
}

function policyOf({ context, next }: Exchange) {
  return { waiting: waitingBehind(context.services.keys, next) }
}

/** Shows the second step if the account has one, else the form of the new password. */
async function showFirst(
  exchange: Exchange,
  opened: OpenedRecovery,
  secret: string,
  { status, problem }: { readonly status: number; readonly problem: ProofProblem | null },
): Promise<HttpReply> {
  const { context, reply, browser } = exchange
  const question = await askRecoveryProof(context.services, opened.account, browser.secret)
  if (!question.needsProof) return showPassword(exchange, opened, secret, "", status, null)
  keepBrowser(context, reply, browser)
  const proof = proofView(question, problem)
  const page = renderProofForLink({ ...onTheWay(exchange), csrf: visitorToken(browser), link: secret, proof })
  const runsScript = proof.passkey !== null
  return sendPage(context, reply, status, page, { ...policyOf(exchange), runsScript, hasSecretUrl: true })
}

function showPassword(
  exchange: Exchange,
  { account }: OpenedRecovery,
  secret: string,
  ticket: string,
  status: number,
  problem: string | null,
): HttpReply {
  const { context, reply, browser } = exchange
  keepBrowser(context, reply, browser)
  const page = renderNewPasswordByLink({
    ...onTheWay(exchange),
    csrf: visitorToken(browser),
    link: secret,
    ticket,
    username: account.username,
    problem,
  })
  return sendPage(context, reply, status, page, { ...policyOf(exchange), hasSecretUrl: true })
}
