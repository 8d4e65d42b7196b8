/** The responses of endpoints that serve a stored picture. */
import type { HttpReply } from "../connection/message.ts"
import { sendJson } from "../respond.ts"

/**
 * Only pages of this service may embed the picture. A browser that opens it directly runs it in a sandbox.
 */
export function setPictureHeaders(reply: HttpReply, cacheControl: string): HttpReply {
  return reply
    .header("cache-control", cacheControl)
    .header("x-content-type-options", "nosniff")
    .header("content-security-policy", "default-src 'none'; sandbox")
    .header("cross-origin-resource-policy", "same-origin")
}

export function sendPicture(reply: HttpReply, png: Uint8Array): HttpReply {
  return reply.code(200).header("content-type", "image/png").send(Buffer.from(png))
}

export function sendNoPicture(reply: HttpReply): HttpReply {
  return sendJson(reply, 404, {
    error: "not_found",
    error_description: "There is nothing at this address.",
  })
}
