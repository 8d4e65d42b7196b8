/** GET and POST /account/email, and the pages of its links. EMAIL-2…EMAIL-5. */
import { sendSeeOther } from "../../platform/http/respond.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { EMAIL_ADDRESS_LENGTH } from "../../kernel/account-limits.ts"
import { waitOf } from "../../platform/languages/span.rules.ts"
import { accountForm, accountPage } from "../guards/account-page.ts"
import { type AccountRequest, fieldOf } from "../guards/account-request.ts"
import { sendAccountPage } from "../guards/signed-in.ts"
import { confirmEmail, emailOf, enterEmail, removeEmail, restoreEmail } from "./email.ts"
import { type EmailInput, renderEmail } from "./email.view.ts"
import { linkPage } from "./link-page.ts"

const PATH = "/account/email"

export const showEmail = accountPage(PATH, (context, reply, request) =>
  show(context, reply, request, { status: 200 }),
)

export const submitEmail = accountForm(PATH, async (context, reply, request) => {
  const { services } = context
  const { account } = request.signedIn
  if (fieldOf(request, "do") === "remove") {
    await removeEmail(services, account, request.from)
    return sendSeeOther(context, reply, context.basePath + PATH)
  }
  if (services.mail === null) return sendSeeOther(context, reply, context.basePath + PATH)
  const { texts } = request.browser.page
  const typed = fieldOf(request, "address")
  const entered = await enterEmail(services, account, typed, request.from)
  switch (entered.outcome) {
    case "sent":
      return show(context, reply, request, { status: 200, sentTo: entered.address })
    case "malformed": {
      const problem = texts.plain(`email.problem.${entered.problem}`, { most: EMAIL_ADDRESS_LENGTH.whole })
      return show(context, reply, request, { status: 400, typed, problem })
    }
    case "wait": {
      reply.header("retry-after", entered.seconds)
      const later = texts.html("email.throttled", waitOf(entered.seconds))
      return show(context, reply, request, { status: 429, typed, later })
    }
  }
})

export const { get: showConfirm, post: submitConfirm } = linkPage({
  path: "/email/confirm",
  purpose: "confirm-address",
  needsSession: true,
  use: async ({ services }, secret, address) => {
    const answer = await confirmEmail(services, secret, { address })
    return answer === "gone" ? null : answer === "done" ? "confirmed" : answer
  },
})

export const { get: showRestore, post: submitRestore } = linkPage({
  path: "/email/restore",
  purpose: "restore-address",
  needsSession: false,
  use: async ({ services }, secret, address) => {
    const answer = await restoreEmail(services, secret, { address })
    return answer === "gone" ? null : answer === "done" ? "restored" : answer
  },
})

type Shown = Partial<Pick<EmailInput, "sentTo" | "typed" | "problem" | "later">> & {
  readonly status: number
}

async function show(
  context: HttpContext,
  reply: HttpReply,
  request: AccountRequest,
  { status, sentTo = null, typed = "", problem = null, later = null }: Shown,
): Promise<HttpReply> {
  const current = await emailOf(context.services, request.signedIn.account)
  return sendAccountPage(context, reply, request, status, renderEmail, {
    ...{ sentTo, typed, problem, later },
    current: current?.address ?? null,
    sendsMail: context.services.mail !== null,
  })
}
