/** GET and POST /account/apps/secret: a new secret for an app of one's own, after a fresh proof. */
import { renderAskSecret, renderSecret } from "./secret.view.ts"
import { rotateOwnSecret } from "../own-app.ts"
import { sendErrorPage, sendPage } from "../../http/respond.ts"
import { signedInView } from "../../accounts/guards/signed-in.ts"
import { fieldOf } from "../../accounts/guards/account-request.ts"
import { appForm, connectionOf, provenAppPage } from "./own-app-page.ts"
import { newFormTicket, spendFormTicket } from "../../services/form-ticket.ts"

export const askOwnSecret = provenAppPage("/secret", (context, reply, own) => {
  const { clientId, name, type } = own.client
  if (type === "public") return sendErrorPage(context, reply, 404, { kind: "notFound" })
  const ticket = newFormTicket(context.services)
  return sendPage(
    context,
    reply,
    200,
    renderAskSecret({ ...signedInView(context, own), clientId, name, ticket }),
  )
})

/** A form that is sent again leaves the secret that it made as it is. */
export const submitOwnSecret = appForm("/secret", async (context, reply, own) => {
  const { services } = context
  const { client, signedIn, from } = own
  const { clientId, name, type } = client
  if (type === "public") return sendErrorPage(context, reply, 404, { kind: "notFound" })
  const isFirst = await spendFormTicket(services, fieldOf(own, "ticket"))
  const made = isFirst ? await rotateOwnSecret(services, signedIn.account, clientId, from) : null
  if (made?.ok === false) return sendErrorPage(context, reply, 404, { kind: "notFound" })
  const secret = made?.value.secret ?? null
  const connection = connectionOf(context)
  const shown = { ...signedInView(context, own), clientId, name, secret, isNewApp: false, connection }
  const page = renderSecret(shown)
  return sendPage(context, reply, 200, page)
})
