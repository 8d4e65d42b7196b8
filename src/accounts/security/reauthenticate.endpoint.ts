/** POST /account/prove: re-authenticates and redirects to the destination. FACTOR-8. */
import { reauthenticate } from "../factors/reauthenticate.ts"
import { openContinuation } from "../sign-in/continuation.ts"
import { sendSeeOther } from "../../platform/http/respond.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"
import { proofOf, proofProblem } from "../factors/proof-form.ts"
import { accountForm, toSecurity } from "../guards/account-page.ts"
import { fieldOf } from "../guards/account-request.ts"
import { showProof } from "../guards/reauthentication-page.ts"

const SECURITY = "/account/security"

/** A browser that reloads the page after the form is redirected to the security page. */
export const leaveProof: Endpoint = (context, _, reply) => toSecurity(context, reply)

export const submitProof: Endpoint = accountForm("/account/prove", async (context, reply, request) => {
  const { browser, signedIn, from, form } = request
  const next = openContinuation(context.services.keys, fieldOf(request, "continue")) ?? SECURITY
  const attempt = { browserSecret: browser.secret, address: from.address }
  const answer = await reauthenticate(context.services, signedIn, proofOf(form.values), attempt)
  if (answer.outcome === "right") return sendSeeOther(context, reply, context.basePath + next)
  if (answer.outcome === "wait") reply.header("retry-after", answer.seconds)
  return showProof(context, reply, request, next, proofProblem(answer))
})
