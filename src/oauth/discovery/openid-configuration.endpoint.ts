/** `GET /.well-known/openid-configuration`. OpenID Connect Discovery §3; interface OIDC-1. */
import type { Endpoint } from "../../platform/http/endpoint.ts"
import { sendJson } from "../../platform/http/respond.ts"
import { publishedMetadata } from "./metadata.endpoint.ts"
import { openidConfiguration } from "./openid-configuration.rules.ts"

export const configuration: Endpoint = async (context, _, reply) =>
  sendJson(reply, 200, openidConfiguration(await publishedMetadata(context), context.services.issuer))
