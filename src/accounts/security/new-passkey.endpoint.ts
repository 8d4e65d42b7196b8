/** GET and POST /account/security/passkey: adds a passkey. FACTOR-2. */
import { renderNewPasskey } from "./new-passkey.view.ts"
import { askNewPasskey, enrolPasskey, type PasskeyEnrolled } from "../factors/new-passkey.ts"
import { keepBrowser } from "../sessions/browser-cookies.ts"
import { passkeyAnswerOf, passkeyView } from "../factors/proof-form.ts"
import { sendAccountPage } from "../guards/signed-in.ts"
import { accountForm, provenPage, type ShowForm, toSecurity } from "../guards/account-page.ts"
import { showProof } from "../guards/reauthentication-page.ts"
import { factorNameProblem } from "./factor.view.ts"
import { FACTORS_AT_MOST } from "../../kernel/account-limits.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import { fieldOf } from "../guards/account-request.ts"

const PATH = "/account/security/passkey"

export const showNewPasskey = provenPage(PATH, (context, reply, request) =>
  show(context, reply, request, 200, null),
)

export const submitNewPasskey = accountForm(PATH, async (context, reply, request) => {
  const { browser, signedIn, from, form } = request
  const answer = { ...passkeyAnswerOf(form.values), name: fieldOf(request, "name") }
  const enrolled = await enrolPasskey(context.services, signedIn, answer, browser.secret, from.address)
  if (enrolled.outcome === "done") return toSecurity(context, reply)
  if (enrolled.outcome === "unproven") return showProof(context, reply, request, PATH)
  return show(context, reply, request, 400, problemOf(browser.page.texts, enrolled))
})

function problemOf(texts: Texts, enrolled: PasskeyEnrolled): string {
  switch (enrolled.outcome) {
    case "bad-name":
      return factorNameProblem(texts, enrolled.problem)
    case "taken":
      return texts.plain("passkey.added-already")
    case "too-many":
      return texts.plain("factor.too-many", { most: FACTORS_AT_MOST })
    default:
      return texts.plain("new-passkey.failed")
  }
}

const show: ShowForm = async (context, reply, request, status, problem) => {
  const { browser, signedIn } = request
  keepBrowser(context, reply, browser)
  const { services } = context
  const passkey = passkeyView(await askNewPasskey(services, signedIn, browser.secret))
  const name = fieldOf(request, "name")
  return sendAccountPage(
    context,
    reply,
    request,
    status,
    renderNewPasskey,
    { passkey, name, problem },
    { runsScript: passkey !== null },
  )
}
