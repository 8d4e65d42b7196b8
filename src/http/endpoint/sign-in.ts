/** GET and POST /sign-in. The second factor will stand between a right password and `setSession`. */
import { parseForm } from "../../core/form.ts"
import { authorize } from "../../service/authorize.ts"
import { type SignInAnswer, signIn } from "../../service/sign-in.ts"
import { openContinuation } from "../../service/ticket.ts"
import { budgetKey } from "../client-address.ts"
import { isOwnForm, visitorToken } from "../csrf.ts"
import { rawFormOf, userAgentOf } from "../request.ts"
import { sendErrorPage, sendSeeOther } from "../respond.ts"
import { browserOf, keepBrowser, setSession } from "../session.ts"
import type { Site } from "../site.ts"
import { type SignInShown, showSignIn } from "./authorization-pages.ts"
import { addressOf, type Endpoint } from "./endpoint.ts"

export const showSignInPage: Endpoint = async (site, request, reply) => {
  const browser = await browserOf(site, request)
  if (browser.signedIn !== null) return sendSeeOther(site, reply, `${site.basePath}/account`)
  return showSignIn(site, reply, browser, { status: 200, of: null, username: "", problem: null })
}

export const submitSignIn: Endpoint = async (site, request, reply) => {
  const form = rawFormOf(request)
  if (form === null) return sendErrorPage(site, reply, 400, { kind: "requestMalformed" })
  const { values } = form
  const browser = await browserOf(site, request)
  const query = openContinuation(site.latchkey.keys, values.get("continue") ?? "")
  const of = query === null ? null : await continued(site, query)
  const username = values.get("username") ?? ""
  if (!isOwnForm(site, request, visitorToken(browser), values.get("csrf")))
    return showSignIn(site, reply, browser, { status: 403, of, username, problem: { problem: "stale" } })

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
    return showSignIn(site, reply, browser, { ...refused(answer), of, username })
  }
  keepBrowser(site, reply, browser)
  setSession(site, reply, answer.secret)
  const next = query === null ? "/account" : `/oauth/authorize?${query}`
  return sendSeeOther(site, reply, site.basePath + next)
}

function refused(
  answer: Exclude<SignInAnswer, { outcome: "signed-in" }>,
): Pick<SignInShown, "status" | "problem"> {
  return answer.outcome === "wait"
    ? { status: 429, problem: { problem: "throttled", retryAfterSeconds: answer.seconds } }
    : { status: 403, problem: { problem: "wrong" } }
}

/** The request that sign-in interrupted; null where it no longer holds, and then only its answer is left to see. */
async function continued(site: Site, query: string): Promise<SignInShown["of"]> {
  const authorization = await authorize(site.latchkey, parseForm(query))
  return authorization.outcome === "ask"
    ? { query, client: authorization.client, request: authorization.request }
    : null
}
