/** The sign-in page. It shows the app whose authorization request waits. */
import { askPasskey } from "../factors/passkey.ts"
import { passkeyView } from "../factors/proof-form.ts"
import { providerViews } from "../factors/provider-buttons.view.ts"
import { renderSignIn, type SignInProblem } from "../factors/sign-in.view.ts"
import { type Browser, keepBrowser } from "../sessions/browser-cookies.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { visitorToken } from "../sessions/csrf.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import type { AppView } from "../../platform/ui/monogram.ts"
import { sendPage, sendSeeOther } from "../../platform/http/respond.ts"
import { onlyApplication } from "../sessions/session.rules.ts"
import { sealContinuation, signInPath, waitingBehind } from "./continuation.ts"
import { applicationFor } from "./only.ts"

export type SignInShown = {
  /** 200 without one. */
  readonly status?: number
  /** The path and query that the browser opens after sign-in. Null stands for the account page. */
  readonly next: string | null
  /** The app whose request `next` is. Without it, the page finds it. */
  readonly of?: AppView | null
  readonly username?: string
  readonly problem?: SignInProblem | null
}

export async function showSignIn(
  context: HttpContext,
  reply: HttpReply,
  browser: Browser,
  { status = 200, next, of, username = "", problem = null }: SignInShown,
): Promise<HttpReply> {
  keepBrowser(context, reply, browser)
  const continueTo = sealContinuation(context.services.keys, next)
  if (applicationFor(context, reply.request, browser, next) !== null)
    return sendSeeOther(context, reply, context.basePath + signInPath(continueTo))
  const { anyAccount } = await context.services.store.read({ anyAccount: true })
  const passkey = passkeyView(askPasskey(context.services, browser.secret, null))
  const page = renderSignIn({
    ...browser.page,
    csrf: visitorToken(browser),
    continueTo,
    app: of === undefined ? await context.waitingApp(next) : of,
    isServiceEmpty: anyAccount === null,
    username,
    passkey,
    providers: providerViews(context.services),
    administratorsBeside: onlyApplication(context.services.providers)?.label ?? null,
    offersRecovery: context.services.mail !== null,
    problem,
  })
  return sendPage(context, reply, status, page, {
    waiting: waitingBehind(context.services.keys, next),
    runsScript: passkey !== null,
  })
}
