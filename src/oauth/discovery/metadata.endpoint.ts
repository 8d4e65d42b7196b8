/** The two discovery documents: RFC 8414 §3, RFC 9728 §3; interface DISC-1, DISC-2. */
import { authorizationServerMetadata, protectedResourceMetadata, type Published } from "./metadata.rules.ts"
import { openPermissions } from "../../model/permissions/open-permissions.rules.ts"
import { isOpenidPermission } from "../../model/permissions/openid-permissions.rules.ts"
import { hasAssertions, JWT_BEARER } from "../token/grants/identity-assertion.rules.ts"
import { CLIENT_CREDENTIALS, grantTypeNames } from "../token/grant-types.ts"
import { sendJson } from "../../platform/http/respond.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"

export const authorizationServer: Endpoint = async (context, _, reply) =>
  sendJson(reply, 200, await publishedMetadata(context))

export async function publishedMetadata(context: HttpContext) {
  return authorizationServerMetadata(await published(context))
}

export const protectedResource: Endpoint = async (context, _, reply) =>
  sendJson(reply, 200, protectedResourceMetadata(context.services.issuer, await published(context)))

/** Clients often request every listed scope. Where apps register themselves, only what they may use is listed. */
async function published({
  services: { issuer, catalog, settings, resources, providers },
}: HttpContext): Promise<Published> {
  const {
    openRegistration,
    documents,
    openPermissions: open,
    appearance,
    ...registered
  } = await settings.lastKnown()
  const listed = openRegistration || documents ? openPermissions(catalog, open) : [...catalog.keys()]
  const permissions = listed.filter((name) => !isOpenidPermission(catalog, name))
  return {
    issuer,
    permissions,
    isRegistrationOpen: openRegistration,
    hasDocuments: documents,
    hasKeys: openRegistration || documents || registered.hasClientWithKeys,
    hasJwks: registered.openid || resources.algorithms.size > 0,
    appearance,
    grantTypes: [
      ...grantTypeNames,
      ...(registered.hasBinding ? [CLIENT_CREDENTIALS] : []),
      ...(hasAssertions(providers) ? [JWT_BEARER] : []),
    ],
  }
}
