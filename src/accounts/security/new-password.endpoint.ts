/** GET and POST /account/security/password: sets the account holder's new password. FACTOR-8. */
import { PASSWORD_LENGTH } from "../../kernel/limits.ts"
import { renderNewPassword } from "./new-password.view.ts"
import { changePassword } from "../factors/reauthenticate.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { sendPage } from "../../platform/http/respond.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { signedInView } from "../guards/signed-in.ts"
import { accountForm, provenPage, toSecurity } from "../guards/account-page.ts"
import { showProof } from "../guards/reauthentication-page.ts"
import { type AccountRequest, fieldOf } from "../guards/account-request.ts"

const PATH = "/account/security/password"

export const showNewPassword = provenPage(PATH, (context, reply, own) => show(context, reply, own, 200, null))

export const submitNewPassword = accountForm(PATH, async (context, reply, own) => {
  const { signedIn, from } = own
  const changed = await changePassword(context.services, signedIn, fieldOf(own, "password"), from.address)
  switch (changed.outcome) {
    case "done":
      return toSecurity(context, reply)
    case "unproven":
      return showProof(context, reply, own, PATH)
    case "bad-password":
      return show(context, reply, own, 400, changed.problem)
  }
})

function show(
  context: HttpContext,
  reply: HttpReply,
  own: AccountRequest,
  status: number,
  problem: string | null,
): HttpReply {
  const passwordLengthAtLeast = PASSWORD_LENGTH.least
  const page = renderNewPassword({ ...signedInView(context, own), problem, passwordLengthAtLeast })
  return sendPage(context, reply, status, page)
}
