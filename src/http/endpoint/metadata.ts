/** The two discovery documents: RFC 8414 §3, RFC 9728 §3; interface DISC-1, DISC-2. */
import { authorizationServerMetadata, protectedResourceMetadata } from "../../core/metadata.ts"
import { sendJson } from "../respond.ts"
import type { Site } from "../site.ts"
import type { Endpoint } from "./endpoint.ts"

export const authorizationServer: Endpoint = (site, _, reply) =>
  sendJson(reply, 200, authorizationServerMetadata(published(site)))

export const protectedResource: Endpoint = (site, _, reply) =>
  sendJson(reply, 200, protectedResourceMetadata(site.latchkey.issuer, published(site)))

function published({ latchkey: { issuer, catalogue } }: Site) {
  return { issuer, permissions: [...catalogue.keys()] }
}
