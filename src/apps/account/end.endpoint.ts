/** GET and POST /account/apps/disable and /account/apps/remove, each asked once. Removing takes a fresh proof. */
import { renderEndApp } from "./preview.view.ts"
import { useOf } from "../own-app-use.ts"
import { removeOwnApp, setOwnAppEnabled } from "../own-app.ts"
import type { HttpReply } from "../../http/connection/message.ts"
import { sendPage } from "../../http/respond.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { accountForm } from "../../accounts/guards/account-page.ts"
import { signedInView } from "../../accounts/guards/signed-in.ts"
import { fieldOf } from "../../accounts/guards/account-request.ts"
import { show } from "./app.endpoint.ts"
import { APPS, appForm, appPage, type OwnApp, provenAppPage, toApp, toApps } from "./own-app-page.ts"

const ask = (end: "disable" | "remove") => async (context: HttpContext, reply: HttpReply, own: OwnApp) => {
  const { clientId, name } = own.client
  const usedBy = await useOf(context.services, own.client)
  const page = renderEndApp({ ...signedInView(context, own), clientId, name, end, usedBy })
  return sendPage(context, reply, 200, page)
}

export const askDisableOwnApp = appPage("/disable", ask("disable"))
export const askRemoveOwnApp = provenAppPage("/remove", ask("remove"))

export const disableOwnApp = appForm("/disable", async (context, reply, own) => {
  const { client, signedIn, from } = own
  const disabled = await setOwnAppEnabled(context.services, signedIn.account, client.clientId, false, from)
  return disabled.ok ? toApp(context, reply, client, null) : show(context, reply, own, 400, disabled.error)
})

/** What is gone already, or was never there, is answered alike. */
export const submitRemoveOwnApp = accountForm(`${APPS}/remove`, async (context, reply, own) => {
  const { signedIn, from } = own
  await removeOwnApp(context.services, signedIn.account, fieldOf(own, "id"), from)
  return toApps(context, reply)
})
