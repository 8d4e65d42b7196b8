/**
 * POST /account/security/connect and /disconnect, and POST /account/prove/with: a signed-in person connects an account
 * at a provider, removes a connection, or confirms that it is them by signing in there again.
 */
import type { Hash } from "../../kernel/ids.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { openContinuation } from "../sign-in/continuation.ts"
import { accountForm, toSecurity } from "../guards/account-page.ts"
import { type AccountRequest, fieldOf } from "../guards/account-request.ts"
import { leaveSignedIn } from "./leave.ts"
import { removeOwnLink } from "./link.ts"
import type { Purpose } from "./pending.ts"
import { showOwnProblem } from "./own-problem.ts"

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

function leave(
  context: HttpContext,
  reply: HttpReply,
  submitted: AccountRequest,
  purpose: Purpose,
  next: string,
): Promise<HttpReply> | HttpReply {
  const provider = context.services.providers.get(fieldOf(submitted, "provider"))
  // The page is older than the configuration.
  if (provider === undefined) return toSecurity(context, reply)
  const { address } = submitted.from
  return leaveSignedIn(context, reply, { ...submitted, address }, provider, { purpose, next })
}
