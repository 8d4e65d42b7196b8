/** GET and POST /console/app/icon: the icon that pages show while the app is verified. CLIENT-5, ICON-2. */
import { ICON_BYTES_AT_MOST } from "../../kernel/limits.ts"
import { renderIcon } from "./app-icon.view.ts"
import { type App, findApp } from "../app.ts"
import { removeIcon, setIcon } from "../icon/icon.ts"
import type { HttpReply } from "../../http/connection/message.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { appView } from "../../oauth/authorize/authorization-pages.ts"
import { onApp } from "./apps.endpoint.ts"
import {
  consoleFileForm,
  consolePage,
  fieldOf,
  frameOf,
  notFound,
  sendConsole,
  toPage,
  type ConsoleRequest,
} from "../../console/console-page.ts"

export const showIcon = consolePage(
  "/console/app/icon",
  onApp((context, reply, visit, app) => show(context, reply, visit, app, null)),
)

export const submitIcon = consoleFileForm(async (context, reply, visit, file) => {
  const found = await findApp(context.services, fieldOf(visit, "id"))
  if (!found.ok) return notFound(context, reply, visit)
  const { clientId } = found.value.client
  const isRemoval = fieldOf(visit, "remove") !== ""
  if (!isRemoval && file === null) return show(context, reply, visit, found.value, "Choose a picture first.")
  const changed =
    isRemoval || file === null
      ? await removeIcon(context.services, clientId, visit.from)
      : await setIcon(context.services, clientId, file, visit.from)
  if (!changed.ok) return show(context, reply, visit, found.value, changed.error)
  return toPage(context, reply, `/console/app?id=${clientId}&done=${isRemoval ? "icon-removed" : "icon"}`)
})

function show(
  context: HttpContext,
  reply: HttpReply,
  visit: ConsoleRequest,
  { client }: App,
  problem: string | null,
): HttpReply {
  const page = renderIcon({
    ...frameOf(context, visit),
    clientId: client.clientId,
    tile: appView(client),
    hasIcon: client.iconHash !== null,
    verified: client.verified,
    bytesAtMost: `${ICON_BYTES_AT_MOST / 1024} KB`,
    problem,
  })
  return sendConsole(context, reply, page, problem === null ? 200 : 400)
}
