/** GET /account/apps/app: one app of one's own, with who uses it in numbers and how its code behaves. */
import { isAdmin } from "../../permissions/permission.rules.ts"
import { notices, type OwnAppInput, renderOwnApp } from "./app.view.ts"
import { useOf } from "../own-app-use.ts"
import { setOwnAppEnabled } from "../own-app.ts"
import { appHealth } from "../../statistics/statistics.ts"
import type { HttpReply } from "../../http/connection/message.ts"
import { sendPage } from "../../http/respond.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { appView } from "../../oauth/authorize/authorization-pages.ts"
import { signedInView } from "../../accounts/guards/signed-in.ts"
import { fieldOf } from "../../accounts/guards/account-request.ts"
import { appForm, appPage, connectionOf, type OwnApp, toApp } from "./own-app-page.ts"

/** So many days of counts are looked at. */
const DAYS = 30

export const showOwnApp = appPage("/app", (context, reply, own) => show(context, reply, own, 200, null))

/** POST /account/apps/enable */
export const enableOwnApp = appForm("/enable", async (context, reply, own) => {
  const { client, signedIn, from } = own
  const enabled = await setOwnAppEnabled(context.services, signedIn.account, client.clientId, true, from)
  return enabled.ok ? toApp(context, reply, client, "enabled") : show(context, reply, own, 400, enabled.error)
})

export async function show(
  context: HttpContext,
  reply: HttpReply,
  own: OwnApp,
  status: number,
  problem: string | null,
): Promise<HttpReply> {
  const { services } = context
  const { client } = own
  const { total: health, findings } = await appHealth(services, client.clientId, DAYS, "live")
  const page = renderOwnApp({
    ...signedInView(context, own),
    app: appView(client),
    type: client.type,
    enabled: client.enabled,
    isDisabledByAdministrator: !client.enabled && !client.disabledByOwner,
    stepUp: client.stepUp,
    registeredAt: client.issuedAt,
    redirectUris: client.redirectUris,
    permissions: client.ceiling.map((name) => ({
      title: services.catalogue.get(name)?.title ?? name,
      admin: isAdmin(name),
    })),
    usedBy: await useOf(services, client),
    health,
    findings,
    refusals: context.recentRefusals.of(client.clientId),
    days: DAYS,
    connection: connectionOf(context),
    done: problem === null ? doneOf(own) : null,
    problem,
  })
  return sendPage(context, reply, status, page)
}

/** An unknown word tells nothing. */
function doneOf(own: OwnApp): OwnAppInput["done"] {
  const done = fieldOf(own, "done")
  return Object.hasOwn(notices, done) ? (done as keyof typeof notices) : null
}
