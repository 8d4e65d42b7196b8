/**
 * GET /oauth/apps/:client_id/icon: interface ICON-1, ICON-2. The request counts against the anonymous budget. The
 * response is the same for an app that is unknown, disabled, not verified or without an icon.
 */
import { appWithServedIcon, iconOf } from "./icon.ts"
import type { HttpReply, HttpRequest } from "../../platform/http/connection/message.ts"
import { sendJson } from "../../platform/http/respond.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"

export const appIcon: Endpoint = async ({ services }, request, reply) => {
  const id = (request.params as { readonly client_id: string }).client_id
  const app = await appWithServedIcon(services, id)
  if (app === null) return sendNoIcon(reply)
  if (isKnown(request, tagOf(app.iconHash)))
    return setIconHeaders(reply, tagOf(app.iconHash)).code(304).send()
  // The icon may have changed since the first read. The tag must belong to the icon in the response.
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

/** Whether `If-None-Match` lists the tag. The comparison is weak: RFC 9110 §13.1.2. */
function isKnown({ headers }: HttpRequest, tag: string): boolean {
  const listed = headers["if-none-match"] ?? ""
  return listed
    .split(",")
    .map((text) => text.trim().replace(/^W\//, ""))
    .some((text) => text === tag || text === "*")
}

/**
 * Browsers revalidate the icon each time, because it must disappear when the app loses its verification. Only pages of
 * this service may embed the icon. A browser that opens the icon directly runs it in a sandbox.
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
