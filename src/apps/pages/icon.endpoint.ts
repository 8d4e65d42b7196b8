/** Shows, stores and removes the icon of an app. CLIENT-5, ICON-1. */
import { iconOf, removeIcon, setIcon } from "../icon/icon.ts"
import { fieldOf } from "../../accounts/guards/account-request.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { sendSeeOther } from "../../platform/http/respond.ts"
import { type AppRequest, type AppRun, onApp, toApp } from "./app-request.ts"
import { pathOf } from "./app-page.ts"
import { renderIcon } from "./icon.view.ts"

export const showIcon = onApp((context, _, request) => show(context, request, null))

const remove: AppRun = async (context, reply, request) => {
  const removed = await removeIcon(context.services, request.app.client.clientId, request.by)
  return removed.ok ? done(context, reply, request, "icon-removed") : show(context, request, removed.error)
}

export const submitIconRemoval = onApp(remove)

export const submitIcon = onApp(async (context, reply, request, file) => {
  if (request.view.isAdministrators && fieldOf(request, "remove") !== "")
    return remove(context, reply, request, null)
  if (file === null) return show(context, request, request.view.texts.plain("icon.no-picture"))
  const set = await setIcon(context.services, request.app.client.clientId, file, request.by)
  return set.ok ? done(context, reply, request, "icon") : show(context, request, set.error)
})

/** Redirects after a change. Owners go to the page of the icon, and administrators to the page of the app. */
function done(context: HttpContext, reply: HttpReply, request: AppRequest, flash: string): HttpReply {
  const { clientId } = request.app.client
  const { isAdministrators, paths } = request.view
  if (isAdministrators) return toApp(context, reply, request, clientId, flash)
  return sendSeeOther(context, reply, context.basePath + pathOf(paths.icon, clientId))
}

async function show(
  { services }: HttpContext,
  { app: { client }, view, send }: AppRequest,
  problem: string | null,
): Promise<HttpReply> {
  const { clientId, name, verified } = client
  const stored = await iconOf(services, client)
  const icon = stored === null ? null : Buffer.from(stored.png).toString("base64")
  const page = renderIcon({ ...view, clientId, name, verified, icon, problem })
  return send(page, problem === null ? 200 : 400)
}
