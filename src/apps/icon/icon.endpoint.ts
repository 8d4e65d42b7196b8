/**
 * GET /oauth/apps/:client_id/icon: interface ICON-1, ICON-2. Counts toward the shared rate limit. An app that is unknown,
 * disabled, not verified or without an icon gets the same answer.
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
  // The icon may have changed since, so the tag is of the icon that is sent.
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
 * Browsers ask again each time, so that an icon disappears when the verification of its app ends. Only pages of this
 * service can show it. Opened directly, it is in a sandbox.
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
