/**
 * Sends a browser to a sign-in provider. The answer to the form is a page and not a redirect, because browsers apply
 * the `form-action` of the page before to every redirect after its form, and so to redirects of the provider.
 */
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Services } from "../../platform/services/services.ts"
import type { SignInProvider } from "../../model/sign-in/provider.rules.ts"
import { needsNewProof, waitingBehind } from "../sign-in/continuation.ts"
import { type Browser, hasSignedOut, keepBrowser } from "../sessions/browser-cookies.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { sendPage } from "../../platform/http/respond.ts"
import { waitOf } from "../../platform/languages/span.rules.ts"
import { applicationUrl } from "./application/ask.ts"
import type { SignedInBrowser } from "../guards/account-request.ts"
import { logFailure } from "./log-failure.ts"
import { showOwnProblem } from "./own-problem.ts"
import { failureInWords, type ProviderProblem } from "./provider-words.ts"
import { askCounted, countTry, type Visitor } from "./tries.ts"
import { renderContinue } from "./continue.view.ts"
import { keepPending, newPending, type Pending } from "./pending.ts"
import { authorizationUrl, type Flow } from "./upstream/upstream.ts"
import type { UpstreamFailure } from "./upstream/upstream-failure.ts"

export type LeavingBrowser = SignedInBrowser & { readonly address: string }

type Leaving = Pick<Pending, "purpose" | "sessionHash" | "next" | "counted" | "invited" | "grantId">

/** Returns the reply, or why the browser cannot go to the provider. */
async function leaveFor(
  context: HttpContext,
  reply: HttpReply,
  browser: Browser,
  provider: SignInProvider,
  of: Leaving,
): Promise<Result<HttpReply, UpstreamFailure>> {
  const { services } = context
  const pending = newPending(services, { provider: provider.name, ...of })
  const flow = flowOf(services, provider, pending)
  const isFresh = flow.isFresh || hasSignedOut(context, reply.request)
  const url =
    provider.preset === "application"
      ? ok(applicationUrl(provider, { ...flow, isFresh }, browser.page.texts.language.tag))
      : await authorizationUrl(services, provider, flow)
  if (!url.ok) return url
  if (!keepPending(context, reply, browser, pending))
    return err({ kind: "refused", detail: "The request that waits is too long to be kept." })
  keepBrowser(context, reply, browser)
  reply.header("refresh", `0; url=${url.value}`)
  const page = renderContinue({ ...browser.page, label: provider.label, url: url.value })
  return ok(sendPage(context, reply, 200, page, { waiting: waitingBehind(services.keys, of.next) }))
}

/** Counts the try of a visitor, and leaves. Returns the reply, or what the person reads. */
export async function leaveCounted(
  context: HttpContext,
  reply: HttpReply,
  browser: Browser,
  provider: SignInProvider,
  visitor: Visitor,
  of: Omit<Leaving, "counted">,
): Promise<Result<HttpReply, ProviderProblem>> {
  const { texts } = browser.page
  const spent = await countTry(context.services, "start", visitor)
  if (!spent.admitted) {
    const { retryAfterSeconds } = spent
    reply.header("retry-after", retryAfterSeconds)
    return err({ status: 429, text: texts.html("common.throttled", waitOf(retryAfterSeconds)) })
  }
  const leaving = { ...of, counted: spent.spent }
  const left = await askCounted(spent, () => leaveFor(context, reply, browser, provider, leaving))
  if (left.ok) return left
  logFailure(context, reply.request, provider, left.error)
  return err(failureInWords(texts, provider, left.error))
}

/** Sends the browser of a signed-in person to a provider, or shows why it cannot go there. */
export async function leaveSignedIn(
  context: HttpContext,
  reply: HttpReply,
  { browser, signedIn, address }: LeavingBrowser,
  provider: SignInProvider,
  of: Pick<Pending, "purpose" | "next" | "grantId">,
): Promise<HttpReply> {
  const visitor = { address, browserSecret: browser.secret }
  const leaving = { ...of, sessionHash: signedIn.session.sessionHash }
  const left = await leaveCounted(context, reply, browser, provider, visitor, leaving)
  if (left.ok) return left.value
  return showOwnProblem(context, reply, { browser, signedIn }, of.purpose, left.error, of.next)
}

export function flowOf(
  { issuer }: Pick<Services, "issuer">,
  { name }: SignInProvider,
  { state, nonce, verifier, purpose, next }: Pending,
): Flow {
  const isFresh = purpose === "prove" || purpose === "step-up" || needsNewProof(next)
  return { redirectUri: callbackUrl(issuer, name), state, nonce, verifier, isFresh }
}

/** The redirect URI that the operator registers at the provider. Each provider has its own. */
export function callbackUrl(issuer: string, name: string): string {
  return `${issuer}/sign-in/with/${name}/callback`
}
