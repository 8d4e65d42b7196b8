/** A credential looks at itself (every live one may), and an account's credentials by one of them. */
import { familyOf, refreshEndsAt } from "../../core/credential.ts"
import { credentialRecord } from "../../core/credential-record.ts"
import { endOwnCredential, heldBy } from "../../service/credential.ts"
import { addressOf } from "../endpoint/endpoint.ts"
import { sendJson } from "../respond.ts"
import { sendApiError } from "./api-error.ts"
import { protectedBy, requireElevation } from "./protected.ts"

export const getCredential = protectedBy([], (_, __, reply, bearer) => {
  const { credential, client, account, reach, accessToken, elevatedUntil } = bearer
  const { consent } = credential
  const family = familyOf(credential)
  return sendJson(reply, 200, {
    token_id: consent.tokenId,
    client_id: client.clientId,
    client_name: client.name,
    user_id: account.userId,
    username: account.username,
    installation_name: consent.installationName,
    scope: consent.scope.join(" "),
    reach: reach.join(" "),
    consented_at: consent.consentedAt,
    rotated_at: family?.rotatedAt ?? null,
    access_ends_at: accessToken.expiresAt,
    refresh_ends_at: family === null ? null : refreshEndsAt(consent, family),
    ends_at: consent.endsAt,
    elevated_until: elevatedUntil,
  })
})

/** GET /api/credentials: what holds access to the account, newest first. */
export const listCredentials = protectedBy(["credentials:read"], async (site, _, reply, { account }) => {
  const { catalogue, clock } = site.latchkey
  const held = await heldBy(site.latchkey, account)
  const records = held.map((one) =>
    credentialRecord(catalogue, one.credential, one.client, one.account, clock.now()),
  )
  return sendJson(reply, 200, { credentials: records })
})

/** DELETE /api/credentials/{token_id}: itself freely, another one of the account only while elevated. */
export const deleteCredential = protectedBy(["credentials:write"], async (site, request, reply, bearer) => {
  const { id } = request.params as { readonly id: string }
  const isItself = id === bearer.credential.consent.tokenId
  const refused = isItself ? null : requireElevation(site, request, reply, bearer)
  if (refused !== null) return refused
  const isFound = await endOwnCredential(site.latchkey, bearer.account, id, {
    address: addressOf(site, request),
  })
  return isFound
    ? reply.code(204).header("cache-control", "no-store").send()
    : sendApiError(reply, 404, "NOT_FOUND", "The account has no such credential.")
})
