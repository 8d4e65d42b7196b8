/** The type of an endpoint. An endpoint parses the request, calls the service and sends the response. */
import { clientAddress } from "./connection/client-address.ts"
import type { HttpReply, HttpRequest } from "./connection/message.ts"
import type { HttpContext } from "./http-context.ts"

export type Endpoint = (
  context: HttpContext,
  request: HttpRequest,
  reply: HttpReply,
) => Promise<HttpReply> | HttpReply

export function addressOf({ trustedProxies, proxyWarnings }: HttpContext, request: HttpRequest): string {
  return (request.address ??= clientAddress(request.raw, trustedProxies, proxyWarnings))
}
