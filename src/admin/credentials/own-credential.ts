/** What an access token may see of its own credential. Exact times would reveal when it rotated: CRED-5. */
import { credentialMembers } from "../../oauth/credential/credential-record.rules.ts"
import type { Bearer } from "../../oauth/credential/bearer.rules.ts"
import { familyOf, refreshEndsAt } from "../../model/credential.rules.ts"
import { consentedTo } from "../../model/permissions/reach.rules.ts"
import { NEVER, startOfDay } from "../../kernel/time.ts"
import {
  idShape,
  instant,
  orNull,
  type Parsed,
  record,
  scopeShape,
  text,
  usernameShape,
} from "../../platform/json/shape.rules.ts"
import type { Services } from "../../platform/services/services.ts"

export const ownCredentialShape = record("OwnCredential", {
  token_id: idShape("credential"),
  client_id: idShape("app"),
  client_name: text("The name of the app.", "My notes"),
  user_id: idShape("account"),
  username: usernameShape,
  installation_name: orNull(text("The label of this copy of the app.", "Laptop")),
  organization: credentialMembers.organization,
  scope: scopeShape("What the account holder consented to."),
  reach: scopeShape("What this access token allows now."),
  consented_at: instant("When the account holder consented"),
  access_ends_at: instant("When this access token expires", 1_800_003_600),
  refresh_ends_at: orNull(
    instant("When the refresh token expires if it is not used, rounded down to 00:00 UTC", 1_807_747_200),
  ),
  ends_at: orNull(
    instant(
      "When the credential ends at the latest, rounded down to 00:00 UTC; null for one of a service account or an organization",
      1_831_507_200,
    ),
  ),
  elevated_until: orNull(instant("Until when it is elevated, or null"), null),
})

export function ownCredentialRecord(
  { catalog }: Pick<Services, "catalog">,
  { credential, client, account, reach, accessToken, elevatedUntil }: Bearer,
): Parsed<typeof ownCredentialShape> {
  const { consent } = credential
  const family = familyOf(credential)
  const isForGood = consent.endsAt === NEVER
  return {
    token_id: consent.tokenId,
    client_id: client.clientId,
    client_name: client.name,
    user_id: account.userId,
    username: account.username,
    installation_name: consent.installationName,
    ...(consent.organization !== undefined && { organization: consent.organization }),
    scope: consentedTo(catalog, consent.scope, client.ceiling).join(" "),
    reach: reach.join(" "),
    consented_at: consent.consentedAt,
    access_ends_at: accessToken.expiresAt,
    refresh_ends_at: family === null || isForGood ? null : startOfDay(refreshEndsAt(consent, family)),
    ends_at: isForGood ? null : startOfDay(consent.endsAt),
    elevated_until: elevatedUntil,
  }
}
