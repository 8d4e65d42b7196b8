/** The pages of a step-up: the page that asks for a factor, and the result. */
import { renderDeviceDone } from "../device/device-done.view.ts"
import type { ProofProblem } from "../../accounts/factors/proof.view.ts"
import { renderStepUp } from "./step-up.view.ts"
import { findStepUp } from "./find-step-up.ts"
import type { SignedInBrowser } from "../../accounts/guards/account-request.ts"
import { sendStartAgain } from "../../accounts/guards/start-again.ts"
import { devicePath } from "../device/user-code.rules.ts"
import type { StepUpBlocker } from "./step-up.rules.ts"
import type { ErrorKind } from "../../platform/ui/error.ts"
import { answerStepUp, askStepUpProof } from "./step-up.ts"
import { type DeviceTicket, sealDeviceTicket } from "../authorize/ticket.ts"
import { csrfToken } from "../../accounts/sessions/csrf.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { sendErrorPage, sendPage } from "../../platform/http/respond.ts"
import { forgetWaiting } from "../../accounts/sign-in/waiting-cookie.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { provingProviders } from "../../accounts/guards/proving-providers.ts"
import { appView } from "../../accounts/sign-in/app-view.ts"
import { proofOf, proofProblem, proofView } from "../../accounts/factors/proof-form.ts"

export async function showStepUp(
  context: HttpContext,
  reply: HttpReply,
  { browser, signedIn }: SignedInBrowser,
  ticket: DeviceTicket,
  shown: { readonly status: number; readonly problem: ProofProblem | null },
): Promise<HttpReply> {
  const { services } = context
  const found = await findStepUp(services, ticket.grantId)
  if (found.outcome !== "found") return sendBlocked(context, reply, found.outcome)
  const { client, purpose, installationName, request } = found
  const question = await askStepUpProof(services, signedIn, browser.secret)
  const proof = proofView(question, shown.problem)
  const now = services.clock.now()
  const page = renderStepUp({
    ...browser.page,
    app: appView(client),
    username: signedIn.account.username,
    installationName,
    reason: purpose.reason,
    userCode: ticket.userCode,
    address: request.address,
    askedSecondsAgo: Math.max(0, now - request.askedAt),
    windowSeconds: (await services.settings.current()).stepUpSeconds,
    ticket: sealDeviceTicket(services.keys, ticket),
    csrf: csrfToken(browser),
    proof,
    providers: await provingProviders(services, signedIn, "step-up"),
  })
  return sendPage(context, reply, shown.status, page, {
    waiting: "device",
    runsScript: proof.passkey !== null,
  })
}

export async function consentToStepUp(
  context: HttpContext,
  reply: HttpReply,
  request: SignedInBrowser,
  ticket: DeviceTicket,
  decisions: readonly string[],
  values: ReadonlyMap<string, string>,
  address: string,
): Promise<HttpReply> {
  const { services } = context
  const from = { browserSecret: request.browser.secret, address }
  const { signedIn } = request
  const provider = values.get("provider")
  const answer = await answerStepUp(services, ticket, decisions, proofOf(values), signedIn, from, provider)
  switch (answer.outcome) {
    case "leave": {
      const { leaveForStepUp } = await import("./provider-proof.ts")
      return leaveForStepUp(context, reply, { ...request, address }, ticket, provider ?? "")
    }
    case "approved":
    case "denied": {
      forgetWaiting(context, reply)
      const outcome = answer.outcome === "approved" ? "elevated" : "denied"
      return sendPage(context, reply, 200, renderDeviceDone({ ...request.browser.page, outcome }))
    }
    case "wait":
      reply.header("retry-after", answer.seconds)
      return showStepUp(context, reply, request, ticket, proofProblem(answer))
    case "wrong":
    case "closed":
      return showStepUp(context, reply, request, ticket, proofProblem({ outcome: answer.outcome }))
    case "stale":
      return sendBlocked(context, reply, "too-late")
    case "answered-before":
    case "connection-ended":
    case "app-gone":
    case "not-allowed":
      return sendBlocked(context, reply, answer.outcome)
    case "not-yours":
      return sendStartAgain(context, reply, request.browser, devicePath(ticket.userCode))
  }
}

export function sendBlocked(context: HttpContext, reply: HttpReply, blocker: StepUpBlocker): HttpReply {
  return sendErrorPage(context, reply, ...blocked[blocker])
}

const blocked: Readonly<Record<StepUpBlocker, readonly [number, ErrorKind]>> = {
  "answered-before": [409, { kind: "consentAnswered" }],
  "too-late": [400, { kind: "consentStale" }],
  "connection-ended": [400, { kind: "connectionEnded" }],
  "app-gone": [400, { kind: "appGone" }],
  "not-allowed": [400, { kind: "stepUpWithdrawn" }],
}
