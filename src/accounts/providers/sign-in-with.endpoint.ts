/** POST /sign-in/with/{name}: a person chooses a provider on the sign-in page. */
import type { HttpReply, HttpRequest } from "../../http/connection/message.ts"
import type { HttpContext } from "../../http/http-context.ts"
import type { Endpoint } from "../../http/endpoint.ts"
import { sendErrorPage, sendSeeOther } from "../../http/respond.ts"
import { formTargetOf, showSignIn } from "../../oauth/authorize/authorization-pages.ts"
import type { SignInProvider } from "../../records/sign-in/provider.rules.ts"
import { type SignInForm, signInForm } from "../sign-in/sign-in-form.ts"
import { leaveFor, type Leaving } from "./leave.ts"
import { logFailure } from "./log-failure.ts"
import { failureInWords, type ProviderProblem } from "./provider-words.ts"
import { countTry } from "./tries.ts"

/** Returns the provider that the path names, or null. */
export function providerIn({ services }: HttpContext, request: HttpRequest): SignInProvider | null {
  const { name } = request.params as { readonly name: string }
  return services.providers.get(name) ?? null
}

/** A browser that reloads the page between starts the sign-in again. */
export const leaveSignInWith: Endpoint = (context, _, reply) =>
  sendSeeOther(context, reply, `${context.basePath}/sign-in`)

const submit = signInForm(async (context, reply, form) => {
  const { request, browser, next, of, visitor } = form
  const provider = providerIn(context, request)
  if (provider === null) return sendErrorPage(context, reply, 404, { kind: "notFound" })
  const spent = await countTry(context.services, "start", visitor)
  if (!spent.admitted) {
    reply.header("retry-after", spent.retryAfterSeconds)
    const problem = { problem: "throttled", retryAfterSeconds: spent.retryAfterSeconds } as const
    return showSignIn(context, reply, browser, { status: 429, next, of, username: "", problem })
  }
  const leaving: Leaving = {
    purpose: "sign-in",
    sessionHash: null,
    next,
    counted: spent.spent,
    formTarget: formTargetOf(of),
  }
  const left = await leaveFor(context, request, reply, browser, provider, leaving)
  if (left.ok) return left.value
  logFailure(context, request, provider, left.error)
  return showProblem(context, reply, form, failureInWords(provider.label, left.error))
})

export const submitSignInWith: Endpoint = (context, request, reply) =>
  providerIn(context, request) === null
    ? sendErrorPage(context, reply, 404, { kind: "notFound" })
    : submit(context, request, reply)

/** Shows the sign-in page with the problem. The other ways to sign in stay on it. */
export function showProblem(
  context: HttpContext,
  reply: HttpReply,
  { browser, next, of }: Pick<SignInForm, "browser" | "next" | "of">,
  { status, text }: ProviderProblem,
): Promise<HttpReply> {
  const problem = { problem: "provider", text } as const
  return showSignIn(context, reply, browser, { status, next, of, username: "", problem })
}
