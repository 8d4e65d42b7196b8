/** The page that tells a signed-in person why a connection or a confirmation failed. */
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { sendPage } from "../../platform/http/respond.ts"
import type { SignedInBrowser } from "../guards/account-request.ts"
import { signedInView } from "../guards/signed-in.ts"
import { waitingBehind } from "../sign-in/continuation.ts"
import type { Purpose } from "./pending.ts"
import { renderProviderProblem } from "./problem.view.ts"
import type { ProviderProblem } from "./provider-words.ts"

export function showOwnProblem(
  context: HttpContext,
  reply: HttpReply,
  request: SignedInBrowser,
  failed: Purpose | "disconnect",
  { status, text }: ProviderProblem,
  next: string | null = null,
): HttpReply {
  // Only a step-up starts again at its page. Other pages lead to the security page.
  const again = failed === "step-up" ? next : null
  const view = signedInView(request)
  const title = view.texts.plain(`provider.failed.${failed === "step-up" ? "prove" : failed}`)
  const requestId = reply.request.id
  const page = renderProviderProblem({ ...view, title, text, again, requestId })
  return sendPage(context, reply, status, page, { waiting: waitingBehind(context.services.keys, again) })
}
