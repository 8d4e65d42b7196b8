/**
 * Sends a browser to a sign-in provider. The answer to the form is a page and not a redirect, because browsers apply
 * the `form-action` of the page before to every redirect after its form, and so to redirects of the provider.
 */
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Services } from "../../platform/services/services.ts"
import type { SignInProvider } from "../../model/sign-in/provider.rules.ts"
import { needsNewProof, waitingBehind } from "../sign-in/continuation.ts"
import { type Browser, keepBrowser } from "../sessions/browser-cookies.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { sendPage } from "../../platform/http/respond.ts"
import { applicationUrl } from "./application/ask.ts"
import { renderContinue } from "./continue.view.ts"
import { keepPending, newPending, type Pending } from "./pending.ts"
import { authorizationUrl, type Flow } from "./upstream/upstream.ts"
import type { UpstreamFailure } from "./upstream/upstream-failure.ts"

export type Leaving = Pick<Pending, "purpose" | "sessionHash" | "next" | "counted" | "invited">

/** Returns the reply, or why the browser cannot go to the provider. */
export async function leaveFor(
  context: HttpContext,
  reply: HttpReply,
  browser: Browser,
  provider: SignInProvider,
  of: Leaving,
): Promise<Result<HttpReply, UpstreamFailure>> {
  const { services } = context
  const pending = newPending(services, { provider: provider.name, ...of })
  const flow = flowOf(services, provider, pending)
  const url =
    provider.preset === "application"
      ? ok(applicationUrl(provider, flow, browser.page.texts.language.tag))
      : await authorizationUrl(services, provider, flow)
  if (!url.ok) return url
  if (!keepPending(context, reply, browser, pending))
    return err({ kind: "refused", detail: "The request that waits is too long to be kept." })
  keepBrowser(context, reply, browser)
  reply.header("refresh", `0; url=${url.value}`)
  const page = renderContinue({ ...browser.page, label: provider.label, url: url.value })
  return ok(sendPage(context, reply, 200, page, { waiting: waitingBehind(services.keys, of.next) }))
}

export function flowOf(
  { issuer }: Pick<Services, "issuer">,
  { name }: SignInProvider,
  { state, nonce, verifier, purpose, next }: Pending,
): Flow {
  const isFresh = purpose === "prove" || needsNewProof(next)
  return { redirectUri: callbackUrl(issuer, name), state, nonce, verifier, isFresh }
}

/** The redirect URI that the operator registers at the provider. Each provider has its own. */
export function callbackUrl(issuer: string, name: string): string {
  return `${issuer}/sign-in/with/${name}/callback`
}
