/** GET and POST /account/apps/icon: the icon of an app of one's own. CLIENT-5, ICON-1. */
import { renderOwnIcon } from "./icon.view.ts"
import { iconOf, removeOwnIcon, setOwnIcon } from "../icon/icon.ts"
import type { HttpReply } from "../../http/connection/message.ts"
import { sendPage, sendSeeOther } from "../../http/respond.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { accountFileForm } from "../../accounts/guards/account-page.ts"
import { signedInView } from "../../accounts/guards/signed-in.ts"
import { APPS, appForm, appPage, type OwnApp, withApp } from "./own-app-page.ts"

export const showOwnIcon = appPage("/icon", (context, reply, own) => show(context, reply, own, null))

export const removeOwnIconForm = appForm("/icon/remove", async (context, reply, own) => {
  const { client, signedIn, from } = own
  await removeOwnIcon(context.services, signedIn.account, client.clientId, from)
  return toIcon(context, reply, own)
})

export const submitOwnIcon = accountFileForm((context, reply, own, file) =>
  withApp((_, __, of) => store(context, reply, of, file))(context, reply, own),
)

async function store(
  context: HttpContext,
  reply: HttpReply,
  own: OwnApp,
  file: Uint8Array | null,
): Promise<HttpReply> {
  if (file === null) return show(context, reply, own, "Choose a picture first.")
  const { client, signedIn, from } = own
  const set = await setOwnIcon(context.services, signedIn.account, client.clientId, file, from)
  return set.ok ? toIcon(context, reply, own) : show(context, reply, own, set.error)
}

function toIcon(context: HttpContext, reply: HttpReply, { client }: OwnApp): HttpReply {
  return sendSeeOther(context, reply, `${context.basePath}${APPS}/icon?id=${client.clientId}`)
}

async function show(
  context: HttpContext,
  reply: HttpReply,
  own: OwnApp,
  problem: string | null,
): Promise<HttpReply> {
  const { clientId, name, verified } = own.client
  const icon = await iconOf(context.services, own.client)
  const page = renderOwnIcon({
    ...signedInView(context, own),
    clientId,
    name,
    verified,
    icon: icon === null ? null : Buffer.from(icon.png).toString("base64"),
    problem,
  })
  return sendPage(context, reply, problem === null ? 200 : 400, page)
}
