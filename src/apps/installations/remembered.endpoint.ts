/** POST /account/ask-again: the account holder lets an app ask again. Interface OIDC-17. */
import { sendSeeOther } from "../../platform/http/respond.ts"
import { accountForm } from "../../accounts/guards/account-page.ts"
import { endOwnRemembered } from "./remembered.ts"

export const askAgain = accountForm("/account/ask-again", async (context, reply, request) => {
  const app = request.form.values.get("app") ?? ""
  const isEnded = await endOwnRemembered(context.services, request.signedIn.account, app, request.from)
  return sendSeeOther(context, reply, `${context.basePath}/account${isEnded ? "?done=asks-again" : ""}`)
})
