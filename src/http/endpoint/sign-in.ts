/** GET and POST /sign-in. The second factor will stand between a right password and `setSession`. */
import { parseForm } from "../../core/form.ts"
import { authorize } from "../../service/authorize.ts"
import { type SignInAnswer, signIn } from "../../service/sign-in.ts"
import { openContinuation } from "../../service/ticket.ts"
import { budgetKey } from "../client-address.ts"
import { isFromOwnPage, isOwnForm, visitorToken } from "../csrf.ts"
import { rawFormOf, userAgentOf } from "../request.ts"
import { sendErrorPage, sendSeeOther } from "../respond.ts"
import { browserOf, keepBrowser, setSession } from "../session.ts"
import type { Site } from "../site.ts"
import { type SignInShown, showSignIn } from "./authorization-pages.ts"
import { addressOf, type Endpoint } from "./endpoint.ts"

export const showSignInPage: Endpoint = async (site, request, reply) => {
  const browser = await browserOf(site, request)
  if (browser.signedIn !== null) return sendSeeOther(site, reply, `${site.basePath}/account`)
  return showSignIn(site, reply, browser, { status: 200, next: null, of: null, username: "", problem: null })
}

export const submitSignIn: Endpoint = async (site, request, reply) => {
  const form = rawFormOf(request)
  if (form === null) return sendErrorPage(site, reply, 400, { kind: "formUnread" })
  // A page of another site sends the form without our cookies: nothing of theirs may touch what the browser keeps.
  if (!isFromOwnPage(site, request)) return sendErrorPage(site, reply, 403, { kind: "formForeign" })
  const { values } = form
  const browser = await browserOf(site, request)
  const next = openContinuation(site.latchkey.keys, values.get("continue") ?? "")
  const of = next === null ? null : await waitingRequest(site, next)
  const username = values.get("username") ?? ""
  if (!isOwnForm(site, request, visitorToken(browser), values.get("csrf")))
    return showSignIn(site, reply, browser, {
      status: 403,
      next,
      of,
      username,
      problem: { problem: "stale" },
    })

  const address = addressOf(site, request)
  const answer = await signIn(site.latchkey, {
    username,
    password: values.get("password") ?? "",
    address,
    addressKey: budgetKey(address),
    userAgent: userAgentOf(request),
    browserSecret: browser.secret,
    formerSecret: browser.sessionSecret,
  })
  if (answer.outcome !== "signed-in") {
    if (answer.outcome === "wait") reply.header("retry-after", answer.seconds)
    return showSignIn(site, reply, browser, { ...refused(answer), next, of, username })
  }
  keepBrowser(site, reply, browser)
  setSession(site, reply, answer.secret)
  return sendSeeOther(site, reply, site.basePath + (next ?? "/account"))
}

function refused(
  answer: Exclude<SignInAnswer, { outcome: "signed-in" }>,
): Pick<SignInShown, "status" | "problem"> {
  return answer.outcome === "wait"
    ? { status: 429, problem: { problem: "throttled", retryAfterSeconds: answer.seconds } }
    : { status: 403, problem: { problem: "wrong" } }
}

/** The authorization request that sign-in interrupted; null where it was none, or no longer holds. */
async function waitingRequest(site: Site, next: string): Promise<SignInShown["of"]> {
  const path = "/oauth/authorize?"
  if (!next.startsWith(path)) return null
  const authorization = await authorize(site.latchkey, parseForm(next.slice(path.length)))
  return authorization.outcome === "ask"
    ? { client: authorization.client, request: authorization.request }
    : null
}
