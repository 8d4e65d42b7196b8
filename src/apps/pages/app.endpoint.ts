/** The page of one app. Its owner enables it there as well. */
import { isAdmin } from "../../permissions/permission.rules.ts"
import { type AdministratorsView, renderApp } from "./app.view.ts"
import { setAppEnabled, usersOf } from "../app.ts"
import { type AppHealth, appHealth } from "../../statistics/statistics.ts"
import type { AppUsers } from "../../store/store.ts"
import type { HttpReply } from "../../http/connection/message.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { appView } from "../../oauth/authorize/authorization-pages.ts"
import { type AppRequest, connectionOf, onApp, toApp } from "./app-request.ts"

const DAYS = 30

export const showApp = onApp((context, _, request) => sendApp(context, request, null))

/** POST /account/apps/enable */
export const enableApp = onApp(async (context, reply, request) => {
  const { clientId } = request.app.client
  const enabled = await setAppEnabled(context.services, clientId, true, request.by)
  return enabled.ok
    ? toApp(context, reply, request, clientId, "enabled")
    : sendApp(context, request, enabled.error)
})

export async function sendApp(
  context: HttpContext,
  { app: { client }, view, send }: AppRequest,
  problem: string | null,
  administration?: (health: AppHealth, usedBy: AppUsers) => Promise<AdministratorsView>,
): Promise<HttpReply> {
  const { services } = context
  const [health, usedBy] = await Promise.all([
    appHealth(services, client.clientId, DAYS, "live"),
    usersOf(services, client),
  ])
  const page = renderApp({
    ...view,
    app: appView(client),
    client,
    permissions: client.ceiling.map((name) => ({
      title: services.catalogue.get(name)?.title ?? name,
      admin: isAdmin(name),
    })),
    usedBy,
    health: health.total,
    findings: health.findings,
    refusals: context.recentRefusals.of(client.clientId),
    days: DAYS,
    connection: connectionOf(context),
    problem,
    administration: (await administration?.(health, usedBy)) ?? null,
  })
  return send(page, problem === null ? 200 : 400)
}
