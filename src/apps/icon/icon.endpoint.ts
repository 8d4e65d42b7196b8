/**
 * GET /oauth/apps/:client_id/icon: interface ICON-1, ICON-2. Counted in the shared budget. An app that is unknown,
 * disabled or not verified and one that has no icon are told apart by nothing.
 */
import { appWithServedIcon, iconOf } from "./icon.ts"
import type { HttpReply, HttpRequest } from "../../http/connection/message.ts"
import { sendJson } from "../../http/respond.ts"
import type { Endpoint } from "../../http/endpoint.ts"

export const appIcon: Endpoint = async ({ services }, request, reply) => {
  const id = (request.params as { readonly client_id: string }).client_id
  const app = await appWithServedIcon(services, id)
  if (app === null) return sendNoIcon(reply)
  if (isKnown(request, tagOf(app.iconHash)))
    return setIconHeaders(reply, tagOf(app.iconHash)).code(304).send()
  // It may have changed since: the tag is of what is sent.
  const icon = await iconOf(services, app)
  if (icon === null) return sendNoIcon(reply)
  return setIconHeaders(reply, tagOf(icon.hash))
    .code(200)
    .header("content-type", "image/png")
    .send(Buffer.from(icon.png))
}

function tagOf(hash: string): string {
  return `"${hash}"`
}

/** RFC 9110 §13.1.2: weak comparison with any of the list. */
function isKnown({ headers }: HttpRequest, tag: string): boolean {
  const listed = headers["if-none-match"] ?? ""
  return listed
    .split(",")
    .map((text) => text.trim().replace(/^W\//, ""))
    .some((text) => text === tag || text === "*")
}

/**
 * Asked for anew each time, so that an icon is gone as soon as its app is not vouched for any more. Only pages of this
 * service show it; opened by itself it is in a sandbox.
 */
function setIconHeaders(reply: HttpReply, tag: string): HttpReply {
  return reply
    .header("etag", tag)
    .header("cache-control", "no-cache")
    .header("x-content-type-options", "nosniff")
    .header("content-security-policy", "default-src 'none'; sandbox")
    .header("cross-origin-resource-policy", "same-origin")
}

function sendNoIcon(reply: HttpReply): HttpReply {
  return sendJson(reply, 404, {
    error: "not_found",
    error_description: "There is nothing at this address.",
  })
}
