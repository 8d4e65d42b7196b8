/** GET and POST /account/apps/secret: a new secret for an app of one's own, after a fresh proof. */
import { renderAskSecret, renderSecret } from "./secret.view.ts"
import { rotateOwnSecret } from "../own-app.ts"
import { sendErrorPage, sendPage } from "../../http/respond.ts"
import { signedInView } from "../../accounts/guards/signed-in.ts"
import { appForm, connectionOf, provenAppPage } from "./own-app-page.ts"
import { newFormTicket, spendFormTicket } from "../../services/form-ticket.ts"

export const askOwnSecret = provenAppPage("/secret", (site, reply, own) => {
  const { clientId, name, type } = own.client
  if (type === "public") return sendErrorPage(site, reply, 404, { kind: "notFound" })
  const ticket = newFormTicket(site.services)
  return sendPage(site, reply, 200, renderAskSecret({ ...signedInView(site, own), clientId, name, ticket }))
})

/** A form that is sent again leaves the secret that it made as it is. */
export const submitOwnSecret = appForm("/secret", async (site, reply, own) => {
  const { services: latchkey } = site
  const { client, signedIn, address, values } = own
  const { clientId, name, type } = client
  if (type === "public") return sendErrorPage(site, reply, 404, { kind: "notFound" })
  const isFirst = await spendFormTicket(latchkey, values.get("ticket") ?? "")
  const made = isFirst ? await rotateOwnSecret(latchkey, signedIn.account, clientId, { address }) : null
  if (made?.ok === false) return sendErrorPage(site, reply, 404, { kind: "notFound" })
  const secret = made?.value.secret ?? null
  const connection = connectionOf(site)
  const shown = { ...signedInView(site, own), clientId, name, secret, isNewApp: false, connection }
  const page = renderSecret(shown)
  return sendPage(site, reply, 200, page)
})
