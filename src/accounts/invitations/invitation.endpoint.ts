/** GET and POST /invitation: shows what an invitation offers, and makes the account. A GET never uses the link. */
import { parseForm } from "../../kernel/form.ts"
import type { Html } from "../../kernel/html.ts"
import { PASSWORD_LENGTH, USERNAME_LENGTH_AT_MOST } from "../../kernel/limits.ts"
import type { Invitation } from "../../model/invitation.rules.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"
import { type HttpContext, pageInput } from "../../platform/http/http-context.ts"
import { queryOf, rawFormOf } from "../../platform/http/request.ts"
import { sendErrorPage, sendPage } from "../../platform/http/respond.ts"
import { relyingPartyId } from "../factors/offered.ts"
import { askInvitedPasskey } from "../factors/new-passkey.ts"
import type { PasskeyAnswer } from "../factors/passkey-challenge.ts"
import { passkeyAnswerOf, passkeyView } from "../factors/proof-form.ts"
import { providerViews } from "../factors/provider-buttons.view.ts"
import { type Browser, browserOf, keepBrowser } from "../sessions/browser-cookies.ts"
import { isOwnForm, visitorToken } from "../sessions/csrf.ts"
import type { SignInAttempt } from "../sessions/start-session.ts"
import { sealContinuation, signInPath, waitingBehind } from "../sign-in/continuation.ts"
import { finishSignIn, visitorOf } from "../sign-in/sign-in-form.ts"
import { keptWaiting } from "../sign-in/waiting-cookie.ts"
import { acceptInvitation, checkName, type NameProblem, openInvitation } from "./accept.ts"
import { renderInvitation, renderInvitationGone, renderInvitedPasskey } from "./invitation.view.ts"

export type InvitationForm = {
  readonly browser: Browser
  readonly values: ReadonlyMap<string, string>
  /** The secret of the link. */
  readonly secret: string
  readonly username: string
  /** The path and query that this browser kept, and visits afterwards. */
  readonly next: string | null
  readonly attempt: SignInAttempt
}

export const showInvitation: Endpoint = async (context, request, reply) => {
  const secret = parseForm(queryOf(request))?.values.get("link") ?? ""
  const browser = await browserOf(context, request)
  return showInvitationPage(context, reply, { browser, secret, username: "" }, { status: 200 })
}

/** Wraps the handler of a form of the page. */
export function invitationForm(
  run: (context: HttpContext, reply: HttpReply, form: InvitationForm) => Promise<HttpReply>,
): Endpoint {
  return async (context, request, reply) => {
    const form = rawFormOf(request)
    if (form === null) return sendErrorPage(context, reply, 400, { kind: "formUnread" })
    const { values } = form
    const browser = await browserOf(context, request)
    if (!isOwnForm(context, request, visitorToken(browser), values.get("csrf")))
      return sendErrorPage(context, reply, 403, { kind: "formForeign" })
    const next = keptWaiting(context, request, browser)
    const [secret, username] = [values.get("link") ?? "", values.get("username") ?? ""]
    const attempt = visitorOf(context, request, browser)
    return run(context, reply, { browser, values, secret, username, next, attempt })
  }
}

export const submitInvitation: Endpoint = invitationForm(async (context, reply, form) => {
  const { browser, values, secret, username, next, attempt } = form
  const passkey = passkeyAnswerOf(values)
  if (values.get("with") === "passkey" && passkey.response === "")
    return showPasskey(context, reply, form, null)
  const wayIn = passkey.response === "" ? { password: values.get("password") ?? "" } : { passkey }
  const answer = await acceptInvitation(context.services, secret, username, wayIn, attempt)
  const { texts } = browser.page
  switch (answer.outcome) {
    case "done":
      return finishSignIn(context, reply, browser, answer.sessionSecret, next)
    case "gone":
      return gone(context, reply, form)
    case "passkey-failed":
      return showPasskey(context, reply, form, texts.plain("new-passkey.failed"))
    case "password": {
      const problem = texts.plain(`password.${answer.problem}`, PASSWORD_LENGTH)
      return showInvitationPage(context, reply, form, { status: 400, password: problem })
    }
    case "name":
      return askName(context, reply, form, answer.problem, "passkey" in wayIn ? passkey : null)
  }
})

/** `passkey` was made already. It is kept while the person chooses another name. */
function askName(
  context: HttpContext,
  reply: HttpReply,
  form: InvitationForm,
  problem: NameProblem,
  passkey: PasskeyAnswer | null = null,
): Promise<HttpReply> {
  const name = form.browser.page.texts.plain(`username.${problem}`, { most: USERNAME_LENGTH_AT_MOST })
  return showInvitationPage(context, reply, form, { status: problem === "taken" ? 409 : 400, name, passkey })
}

type Shown = Pick<InvitationForm, "browser" | "secret"> & {
  /** What the person typed. An empty text shows the suggestion of the invitation. */
  readonly username: string
}

export type InvitationProblem = {
  readonly status: number
  readonly name?: string
  readonly password?: string
  /** A problem that belongs to no field. */
  readonly text?: Html
  readonly passkey?: PasskeyAnswer | null
}

export async function showInvitationPage(
  context: HttpContext,
  reply: HttpReply,
  shown: Shown,
  problem: InvitationProblem,
): Promise<HttpReply> {
  const { services } = context
  const { browser, secret } = shown
  const invitation = await openInvitation(services, secret)
  if (invitation === null) return gone(context, reply, shown)
  keepBrowser(context, reply, browser)
  const page = renderInvitation({
    ...view(shown, invitation),
    username: shown.username || (invitation.username ?? ""),
    offersPasskeys: relyingPartyId(services.issuer) !== null,
    providers: providerViews(services),
    problem,
  })
  return sendPage(context, reply, problem.status, page, policyOf(context, reply, browser))
}

/** Asks for the passkey in a step of its own, because the authenticator shows the name that the account will have. */
async function showPasskey(
  context: HttpContext,
  reply: HttpReply,
  form: InvitationForm,
  problem: string | null,
): Promise<HttpReply> {
  const { services } = context
  const { browser, secret, username } = form
  const invitation = await openInvitation(services, secret)
  if (invitation === null) return gone(context, reply, form)
  const name = await checkName(services, username)
  if (!name.ok) return askName(context, reply, form, name.error)
  keepBrowser(context, reply, browser)
  const { invitationId } = invitation
  const question = await askInvitedPasskey(services, invitationId, name.value.username, browser.secret)
  const passkey = passkeyView(question)
  const page = renderInvitedPasskey({ ...view(form, invitation), username, passkey, problem })
  const policy = { ...policyOf(context, reply, browser), runsScript: passkey !== null }
  return sendPage(context, reply, problem === null ? 200 : 400, page, policy)
}

function view({ browser, secret }: Shown, { admin, email, isMailed }: Invitation) {
  return {
    ...browser.page,
    csrf: visitorToken(browser),
    link: secret,
    admin,
    email: isMailed ? email : null,
  }
}

function policyOf(context: HttpContext, { request }: HttpReply, browser: Browser) {
  const waiting = waitingBehind(context.services.keys, keptWaiting(context, request, browser))
  return { waiting, hasSecretUrl: true }
}

function gone(context: HttpContext, reply: HttpReply, { browser }: Pick<Shown, "browser">): HttpReply {
  const next = keptWaiting(context, reply.request, browser)
  const signIn = signInPath(next === null ? null : sealContinuation(context.services.keys, next))
  const page = renderInvitationGone({ ...pageInput(context, reply.request), signIn })
  return sendPage(context, reply, 410, page, policyOf(context, reply, browser))
}
