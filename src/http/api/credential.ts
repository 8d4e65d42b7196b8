/** GET /api/credential: a credential looks at itself. Every live credential may. */
import { familyOf, refreshEndsAt } from "../../core/credential.ts"
import { sendJson } from "../respond.ts"
import { protectedBy } from "./protected.ts"

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
