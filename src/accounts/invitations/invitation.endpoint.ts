/** GET and POST /invitation: shows what an invitation offers, and makes the account. A GET never uses the link. */
import { parseForm } from "../../kernel/form.ts"
import { PASSWORD_LENGTH, USERNAME_LENGTH_AT_MOST } from "../../kernel/account-limits.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { queryOf } from "../../platform/http/request.ts"
import { sendPage } from "../../platform/http/respond.ts"
import { gone } from "../email/link-page.ts"
import { relyingPartyId } from "../factors/offered.ts"
import { askInvitedPasskey } from "../factors/new-passkey.ts"
import type { PasskeyAnswer } from "../factors/passkey-challenge.ts"
import { passkeyAnswerOf, passkeyView } from "../factors/proof-form.ts"
import { providerViews } from "../factors/provider-buttons.view.ts"
import { browserOf, keepBrowser } from "../sessions/browser-cookies.ts"
import { isAdmitted, onlyApplication } from "../sessions/session.rules.ts"
import { visitorToken } from "../sessions/csrf.ts"
import { waitingBehind } from "../sign-in/continuation.ts"
import { finishSignIn, visitorForm, type VisitorForm } from "../sign-in/sign-in-form.ts"
import { keptWaiting } from "../sign-in/waiting-cookie.ts"
import { acceptInvitation, checkName, type NotAccepted, openInvitation } from "./accept.ts"
import { type InvitationProblem, renderInvitation, renderInvitedPasskey } from "./invitation.view.ts"

type Shown = Pick<VisitorForm, "browser"> & {
  /** The secret of the link. */
  readonly secret: string
  /** What the person typed. An empty text shows the suggestion of the invitation. */
  readonly username: string
}

export type InvitationForm = Shown & VisitorForm

export const showInvitation: Endpoint = async (context, request, reply) => {
  const secret = parseForm(queryOf(request))?.values.get("link") ?? ""
  const browser = await browserOf(context, request)
  return showInvitationPage(context, reply, { browser, secret, username: "" }, { status: 200 })
}

/** Wraps the handler of a form of the page. */
export function invitationForm(
  run: (context: HttpContext, reply: HttpReply, form: InvitationForm) => Promise<HttpReply>,
): Endpoint {
  return visitorForm((context, reply, form) => {
    const [secret, username] = [form.values.get("link") ?? "", form.values.get("username") ?? ""]
    return run(context, reply, { ...form, secret, username })
  })
}

export const submitInvitation: Endpoint = invitationForm(async (context, reply, form) => {
  const { browser, values, secret, username, visitor } = form
  const passkey = passkeyAnswerOf(values)
  const isMade = passkey.response !== ""
  if (values.get("with") === "passkey" && !isMade) return showPasskey(context, reply, form, null)
  const wayIn = isMade ? { passkey } : { password: values.get("password") ?? "" }
  const answer = await acceptInvitation(context.services, secret, username, wayIn, visitor)
  return answer.ok
    ? finishSignIn(context, reply, browser, answer.value, keptNext(context, reply, form))
    : showProblem(context, reply, form, answer.error, isMade ? passkey : null)
})

/** `passkey` was made already. It is kept while the person chooses another name. */
function showProblem(
  context: HttpContext,
  reply: HttpReply,
  form: InvitationForm,
  problem: NotAccepted,
  passkey: PasskeyAnswer | null = null,
): Promise<HttpReply> | HttpReply {
  const { texts } = form.browser.page
  if (problem === "gone") return sendGone(context, reply, form)
  if (problem === "passkey-failed")
    return showPasskey(context, reply, form, texts.plain("new-passkey.failed"))
  if (problem.field === "password") {
    const password = texts.plain(`password.${problem.problem}`, PASSWORD_LENGTH)
    return showInvitationPage(context, reply, form, { status: 400, password })
  }
  const name = texts.plain(`username.${problem.problem}`, { most: USERNAME_LENGTH_AT_MOST })
  const status = problem.problem === "taken" ? 409 : 400
  return showInvitationPage(context, reply, form, { status, name, passkey })
}

export async function showInvitationPage(
  context: HttpContext,
  reply: HttpReply,
  shown: Shown,
  problem: InvitationProblem & { readonly status: number },
): Promise<HttpReply> {
  const { services } = context
  const { browser } = shown
  const invitation = await openInvitation(services, shown.secret)
  if (invitation === null) return sendGone(context, reply, shown)
  const { admin, email, isMailed } = invitation
  const only = isAdmitted({ admin }, services.providers) ? null : onlyApplication(services.providers)
  const page = renderInvitation({
    ...viewOf(context, reply, shown),
    admin,
    email: isMailed ? email : null,
    username: shown.username || (invitation.username ?? ""),
    signedInAs: browser.signedIn?.account.username ?? null,
    offersOwn: only === null,
    offersPasskeys: only === null && relyingPartyId(services.issuer) !== null,
    providers: providerViews(services).filter(({ name }) => only === null || name === only.name),
    problem,
  })
  return sendPage(context, reply, problem.status, page, policyOf(context, reply, shown))
}

/** Asks for the passkey in a step of its own, because the authenticator shows the name that the account will have. */
async function showPasskey(
  context: HttpContext,
  reply: HttpReply,
  form: InvitationForm,
  problem: string | null,
): Promise<HttpReply> {
  const { browser, secret, username } = form
  const invitation = await openInvitation(context.services, secret)
  if (invitation === null) return sendGone(context, reply, form)
  const name = await checkName(context.services, username)
  if (!name.ok) return showProblem(context, reply, form, name.error)
  const { invitationId } = invitation
  const { username: named } = name.value
  const passkey = passkeyView(await askInvitedPasskey(context.services, invitationId, named, browser.secret))
  const page = renderInvitedPasskey({ ...viewOf(context, reply, form), username, passkey, problem })
  const policy = { ...policyOf(context, reply, form), runsScript: passkey !== null }
  return sendPage(context, reply, problem === null ? 200 : 400, page, policy)
}

function viewOf(context: HttpContext, reply: HttpReply, { browser, secret: link }: Shown) {
  keepBrowser(context, reply, browser)
  return { ...browser.page, csrf: visitorToken(browser), link }
}

/** The path and query that this browser kept, and visits afterwards. */
function keptNext(context: HttpContext, { request }: HttpReply, { browser }: Shown): string | null {
  return keptWaiting(context, request, browser)
}

function policyOf(context: HttpContext, reply: HttpReply, shown: Shown) {
  const waiting = waitingBehind(context.services.keys, keptNext(context, reply, shown))
  return { waiting, hasSecretUrl: true }
}

function sendGone(context: HttpContext, reply: HttpReply, shown: Shown): HttpReply {
  return gone(context, reply, keptNext(context, reply, shown), "invitation-gone")
}
