/** GET and POST /account/security/password: sets the account holder's new password. FACTOR-8. */
import { PASSWORD_LENGTH } from "../../kernel/account-limits.ts"
import { renderNewPassword } from "./new-password.view.ts"
import { changePassword } from "../factors/reauthenticate.ts"
import { sendAccountPage } from "../guards/signed-in.ts"
import { accountForm, provenPage, type ShowForm, toSecurity } from "../guards/account-page.ts"
import { showProof } from "../guards/reauthentication-page.ts"
import { fieldOf } from "../guards/account-request.ts"

const PATH = "/account/security/password"

export const showNewPassword = provenPage(PATH, (context, reply, request) =>
  show(context, reply, request, 200, null),
)

export const submitNewPassword = accountForm(PATH, async (context, reply, request) => {
  const { signedIn, from } = request
  const changed = await changePassword(context.services, signedIn, fieldOf(request, "password"), from.address)
  switch (changed.outcome) {
    case "done":
      return toSecurity(context, reply)
    case "unproven":
      return showProof(context, reply, request, PATH)
    case "bad-password": {
      const { texts } = request.browser.page
      return show(context, reply, request, 400, texts.plain(`password.${changed.problem}`, PASSWORD_LENGTH))
    }
  }
})

const show: ShowForm = (context, reply, request, status, problem) => {
  return sendAccountPage(context, reply, request, status, renderNewPassword, { problem })
}
