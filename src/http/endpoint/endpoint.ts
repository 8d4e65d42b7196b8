/** An endpoint: parse, ask the service, answer. */
import type { FastifyReply, FastifyRequest } from "fastify"
import { clientAddress } from "../client-address.ts"
import type { Site } from "../site.ts"

export type Endpoint = (
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply> | FastifyReply

export function addressOf({ trustedProxies }: Site, request: FastifyRequest): string {
  return clientAddress(request.raw, trustedProxies)
}
