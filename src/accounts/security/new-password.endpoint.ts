/** GET and POST /account/security/password: the owner's new password. FACTOR-8. */
import { PASSWORD_LENGTH } from "../../kernel/limits.ts"
import { renderNewPassword } from "./new-password.view.ts"
import { changePassword } from "../factors/reauthenticate.ts"
import type { HttpReply } from "../../http/connection/message.ts"
import { sendPage } from "../../http/respond.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { signedInView } from "../guards/signed-in.ts"
import { accountForm, provenPage, toSecurity } from "../guards/account-page.ts"
import { showProof } from "../guards/reauthentication-page.ts"
import type { AccountRequest } from "../guards/account-request.ts"

const PATH = "/account/security/password"

export const showNewPassword = provenPage(PATH, (site, reply, own) => show(site, reply, own, 200, null))

export const submitNewPassword = accountForm(PATH, async (site, reply, own) => {
  const { signedIn, values, address } = own
  const changed = await changePassword(site.services, signedIn, values.get("password") ?? "", address)
  switch (changed.outcome) {
    case "done":
      return toSecurity(site, reply)
    case "unproven":
      return showProof(site, reply, own, PATH)
    case "bad-password":
      return show(site, reply, own, 400, changed.problem)
  }
})

function show(
  site: HttpContext,
  reply: HttpReply,
  own: AccountRequest,
  status: number,
  problem: string | null,
): HttpReply {
  const passwordLengthAtLeast = PASSWORD_LENGTH.least
  const page = renderNewPassword({ ...signedInView(site, own), problem, passwordLengthAtLeast })
  return sendPage(site, reply, status, page)
}
