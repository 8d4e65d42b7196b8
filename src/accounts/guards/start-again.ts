/** Answers a form that another session of this browser drew, or one that authorizes nothing any more. */
import type { Form } from "../../kernel/form.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { sendPage } from "../../platform/http/respond.ts"
import type { Browser } from "../sessions/browser-cookies.ts"
import { openContinuation, waitingBehind } from "../sign-in/continuation.ts"
import { reauthenticationPrompt } from "./reauthentication-prompt.ts"
import { renderStartAgain } from "./start-again.view.ts"

/** `next` is the path and query where the person begins again. Its path comes from a seal or the code, never from a field. */
export function sendStartAgain(
  context: HttpContext,
  reply: HttpReply,
  { page, signedIn, held }: Browser,
  next: string,
): HttpReply {
  const text = renderStartAgain({
    ...page,
    isLapsed: signedIn === null && held !== null,
    username: signedIn?.account.username ?? null,
    next,
  })
  return sendPage(context, reply, 403, text, { waiting: waitingBehind(context.services.keys, next) })
}

const AREAS = ["/console", "/account/apps", "/account/security", "/account"]

/** Returns where the form at `path` begins again: at what it continues to, or at the page that leads to it. */
export function beginningOf(
  { services }: HttpContext,
  { page }: Pick<Browser, "page">,
  path: string,
  { values }: Pick<Form, "values">,
): string {
  const next = openContinuation(services.keys, values.get("continue") ?? "")
  if (next !== null) return next
  const id = values.get("id")
  const prompt = reauthenticationPrompt(
    page.texts,
    id === undefined ? path : `${path}?id=${encodeURIComponent(id)}`,
  )
  return prompt.action === null ? (AREAS.find((area) => path.startsWith(area)) ?? "/account") : prompt.back
}
