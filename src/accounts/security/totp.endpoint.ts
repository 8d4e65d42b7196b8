/** GET and POST /account/security/totp: adds an authenticator app. FACTOR-1. */
import { renderTotp, type TotpProblem } from "./totp.view.ts"
import { askTotp, enrolTotp, type TotpEnrolled } from "../factors/totp.ts"
import { qrModules } from "../factors/qr.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { sendAccountPage } from "../guards/signed-in.ts"
import { accountForm, provenPage, toSecurity } from "../guards/account-page.ts"
import { showProof } from "../guards/reauthentication-page.ts"
import { factorNameProblem } from "./factor.view.ts"
import { FACTORS_AT_MOST } from "../../kernel/account-limits.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import { type AccountRequest, fieldOf } from "../guards/account-request.ts"

const PATH = "/account/security/totp"

export const showTotp = provenPage(PATH, (context, reply, request) =>
  show(context, reply, request, 200, null, null),
)

export const submitTotp = accountForm(PATH, async (context, reply, request) => {
  const { browser, signedIn, from } = request
  const ticket = fieldOf(request, "ticket")
  const typed = { ticket, code: fieldOf(request, "code"), name: fieldOf(request, "name") }
  const enrolled = await enrolTotp(context.services, signedIn, typed, from.address)
  if (enrolled.outcome === "done") return toSecurity(context, reply)
  if (enrolled.outcome === "unproven") return showProof(context, reply, request, PATH)
  const problem = problemOf(browser.page.texts, enrolled)
  return show(context, reply, request, 400, enrolled.outcome === "stale" ? null : ticket, problem)
})

function problemOf(texts: Texts, enrolled: TotpEnrolled): TotpProblem {
  switch (enrolled.outcome) {
    case "bad-name":
      return { field: "name", message: factorNameProblem(texts, enrolled.problem) }
    case "stale":
      return { field: "code", message: texts.plain("new-totp.stale") }
    case "too-many":
      return { field: "code", message: texts.plain("factor.too-many", { most: FACTORS_AT_MOST }) }
    default:
      return { field: "code", message: texts.plain("new-totp.wrong") }
  }
}

/** Shows the secret of the given `ticket` again. If the ticket expired, shows a new secret. */
async function show(
  context: HttpContext,
  reply: HttpReply,
  request: AccountRequest,
  status: number,
  ticket: string | null,
  problem: TotpProblem | null,
): Promise<HttpReply> {
  const { services } = context
  const { signedIn } = request
  const question = askTotp(services, signedIn, ticket) ?? askTotp(services, signedIn, null)
  if (question === null) throw new Error("a new secret is always there to be shown")
  const name = fieldOf(request, "name")
  return sendAccountPage(context, reply, request, status, renderTotp, {
    ...question,
    qr: qrModules(question.uri),
    name,
    problem,
  })
}
