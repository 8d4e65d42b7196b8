/**
 * GET /oauth/apps/:client_id/icon: interface ICON-1, ICON-2. The request counts against the anonymous budget. The
 * response is the same for an app that is unknown, disabled, not verified or without an icon.
 */
import { appWithServedIcon, iconOf } from "./icon.ts"
import type { HttpReply, HttpRequest } from "../../platform/http/connection/message.ts"
import { sendNoPicture, sendPicture, setPictureHeaders } from "../../platform/http/endpoints/picture.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"

export const appIcon: Endpoint = async ({ services }, request, reply) => {
  const id = (request.params as { readonly client_id: string }).client_id
  const app = await appWithServedIcon(services, id)
  if (app === null) return sendNoPicture(reply)
  if (isKnown(request, tagOf(app.iconHash))) return setHeaders(reply, app.iconHash).code(304).send()
  // The icon may have changed since the first read. The tag must belong to the icon in the response.
  const icon = await iconOf(services, app)
  if (icon === null) return sendNoPicture(reply)
  return sendPicture(setHeaders(reply, icon.hash), icon.png)
}

function tagOf(hash: string): string {
  return `"${hash}"`
}

/** Whether `If-None-Match` lists the tag. The comparison is weak: RFC 9110 §13.1.2. */
function isKnown({ headers }: HttpRequest, tag: string): boolean {
  const listed = headers["if-none-match"] ?? ""
  return listed
    .split(",")
    .map((text) => text.trim().replace(/^W\//, ""))
    .some((text) => text === tag || text === "*")
}

/** Browsers revalidate the icon each time, because it must disappear when the app loses its verification. */
function setHeaders(reply: HttpReply, hash: string): HttpReply {
  return setPictureHeaders(reply.header("etag", tagOf(hash)), "no-cache")
}
