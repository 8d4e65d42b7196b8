/** The two discovery documents: RFC 8414 §3, RFC 9728 §3; interface DISC-1, DISC-2. */
import { authorizationServerMetadata, protectedResourceMetadata } from "../../core/metadata.ts"
import { sendJson } from "../respond.ts"
import type { Endpoint } from "./endpoint.ts"

export const authorizationServer: Endpoint = ({ latchkey: { issuer, catalogue } }, _, reply) =>
  sendJson(reply, 200, authorizationServerMetadata({ issuer, catalogue }))

export const protectedResource: Endpoint = ({ latchkey: { issuer, catalogue } }, _, reply) =>
  sendJson(reply, 200, protectedResourceMetadata({ issuer, catalogue }))
