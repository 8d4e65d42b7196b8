/**
 * POST /account/security/connect and /disconnect, and POST /account/prove/with: a signed-in person connects an account
 * at a provider, removes a connection, or confirms that it is them by signing in there again.
 */
import type { Hash } from "../../kernel/ids.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { sendErrorPage } from "../../platform/http/respond.ts"
import { openContinuation } from "../sign-in/continuation.ts"
import { accountForm, toSecurity } from "../guards/account-page.ts"
import { type AccountRequest, fieldOf } from "../guards/account-request.ts"
import { leaveFor } from "./leave.ts"
import { removeOwnLink } from "./link.ts"
import { logFailure } from "./log-failure.ts"
import type { Purpose } from "./pending.ts"
import { failureInWords } from "./provider-words.ts"
import { showOwnProblem } from "./own-problem.ts"
import { askCounted, countTry } from "./tries.ts"

export const submitConnect = accountForm("/account/security/connect", (context, reply, request) =>
  leave(context, reply, request, "link", "/account/security"),
)

export const submitProveWith = accountForm("/account/prove/with", (context, reply, request) => {
  const next = openContinuation(context.services.keys, fieldOf(request, "continue"))
  return leave(context, reply, request, "prove", next ?? "/account/security")
})

export const submitDisconnect = accountForm(
  "/account/security/disconnect",
  async (context, reply, request) => {
    const { signedIn, from } = request
    const id = fieldOf(request, "id") as Hash
    const removed = await removeOwnLink(context.services, signedIn.account.userId, id, from.address)
    if (removed.ok) return toSecurity(context, reply)
    const problem = { status: 409, text: request.browser.page.texts.html(`connections.${removed.error}`) }
    return showOwnProblem(context, reply, request, "disconnect", problem)
  },
)

async function leave(
  context: HttpContext,
  reply: HttpReply,
  submitted: AccountRequest,
  purpose: Purpose,
  next: string,
): Promise<HttpReply> {
  const { request } = reply
  const provider = context.services.providers.get(fieldOf(submitted, "provider")) ?? null
  // The page is older than the configuration.
  if (provider === null) return toSecurity(context, reply)
  const visitor = { address: submitted.from.address, browserSecret: submitted.browser.secret }
  const spent = await countTry(context.services, "start", visitor)
  if (!spent.admitted) {
    const { retryAfterSeconds } = spent
    reply.header("retry-after", retryAfterSeconds)
    return sendErrorPage(context, reply, 429, { kind: "throttled", retryAfterSeconds })
  }
  const { sessionHash } = submitted.signedIn.session
  const leaving = { purpose, sessionHash, next, counted: spent.spent }
  const left = await askCounted(spent, () => leaveFor(context, reply, submitted.browser, provider, leaving))
  if (left.ok) return left.value
  logFailure(context, request, provider, left.error)
  const problem = failureInWords(submitted.browser.page.texts, provider.label, left.error)
  return showOwnProblem(context, reply, submitted, purpose, problem)
}
