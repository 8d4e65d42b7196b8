/** What the endpoints of a provider share: the provider of the path, and the sign-in page with a problem. */
import type { HttpReply, HttpRequest } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"
import { type SignInForm, signInForm } from "../sign-in/sign-in-form.ts"
import { showSignIn } from "../sign-in/sign-in-page.ts"
import type { SignInProvider } from "../../model/sign-in/provider.rules.ts"
import { type Browser, keepBrowser } from "../sessions/browser-cookies.ts"
import { visitorToken } from "../sessions/csrf.ts"
import { sealContinuation, waitingBehind } from "../sign-in/continuation.ts"
import { sendErrorPage, sendPage } from "../../platform/http/respond.ts"
import { renderBackToApplication } from "./application/back.view.ts"
import { showInvitationPage } from "../invitations/invitation.endpoint.ts"
import type { InvitedArrival } from "./pending.ts"
import type { ProviderProblem } from "./provider-words.ts"

type Shown = {
  readonly browser: Browser
  readonly next: string | null
  /** The invitation that the sign-in accepts. */
  readonly invited?: InvitedArrival | undefined
}

/** Returns the provider that the path names, or null. */
export function providerIn({ services }: HttpContext, request: HttpRequest): SignInProvider | null {
  const { name } = request.params as { readonly name: string }
  return services.providers.get(name) ?? null
}

type ProviderForm = SignInForm & { readonly provider: SignInProvider }

/** Wraps the handler of a sign-in form of the provider that the path names. */
export function providerForm(
  run: (context: HttpContext, reply: HttpReply, form: ProviderForm) => Promise<HttpReply>,
): Endpoint {
  return (context, request, reply) => {
    const provider = providerIn(context, request)
    if (provider === null) return sendErrorPage(context, reply, 404, { kind: "notFound" })
    const submit = signInForm((_context, _reply, form) => run(context, reply, { ...form, provider }))
    return submit(context, request, reply)
  }
}

/**
 * Shows the sign-in page with the problem, or the page of the invitation. The other ways in stay on it. From an
 * application, a person goes back to it: LOGIN-7. Where it is the only way in, a person who canceled there goes back to
 * the app that waits: LOGIN-12.
 */
export async function showProblem(
  context: HttpContext,
  reply: HttpReply,
  provider: SignInProvider,
  { browser, next, invited }: Shown,
  { status, text, isCanceled = false }: ProviderProblem,
): Promise<HttpReply> {
  if (invited !== undefined) {
    const { link: secret, username } = invited
    return showInvitationPage(context, reply, { browser, secret, username }, { status, text })
  }
  const isOnly = provider.preset === "application" && provider.only
  const denied = isOnly && isCanceled ? await context.denyWaitingApp(context, reply, next) : null
  if (denied !== null) return denied
  if (provider.preset === "application" && (isOnly || !isCanceled)) {
    keepBrowser(context, reply, browser)
    const { keys } = context.services
    const { name, label } = provider
    const shown = { name, label, text, csrf: visitorToken(browser) }
    const continueTo = sealContinuation(keys, next)
    const requestId = reply.request.id
    const page = renderBackToApplication({ ...browser.page, ...shown, continueTo, requestId })
    return sendPage(context, reply, status, page, { waiting: waitingBehind(keys, next) })
  }
  const problem = { problem: "provider", text } as const
  return showSignIn(context, reply, browser, { status, next, problem })
}
