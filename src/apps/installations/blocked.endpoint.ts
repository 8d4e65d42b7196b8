/** POST /account/allow-again: the account holder lets an organization connect an app again. Interface ORG-9. */
import { sendSeeOther } from "../../platform/http/respond.ts"
import { accountForm } from "../../accounts/guards/account-page.ts"
import { allowOrganization } from "./blocked.ts"

export const allowAgain = accountForm("/account/allow-again", async (context, reply, request) => {
  const { form, signedIn, from } = request
  const [app, provider] = ["app", "organization"].map((name) => form.values.get(name) ?? "")
  const isAllowed = await allowOrganization(context.services, signedIn.account, { app, provider }, from)
  return sendSeeOther(context, reply, `${context.basePath}/account${isAllowed ? "?done=allowed-again" : ""}`)
})
