/** Credentials in the JSON of the API. */
import { isIdentifier } from "../../kernel/identifier.ts"
import { credentialShape } from "../../oauth/credential/credential-record.rules.ts"
import {
  flag,
  idShape,
  instant,
  list,
  optional,
  orNull,
  record,
  scopeShape,
  text,
  usernameShape,
} from "../../platform/json/shape.rules.ts"
import { clientIdShape, userIdShape } from "../api/ids.ts"
import { next, pagingBy } from "../api/paging.ts"

export const ownCredentialShape = record("OwnCredential", {
  token_id: idShape("credential"),
  client_id: idShape("app"),
  client_name: text("The name of the app.", "My notes"),
  user_id: idShape("account"),
  username: usernameShape,
  installation_name: orNull(text("The label of this copy of the app.", "Laptop")),
  scope: scopeShape("What the account holder consented to."),
  reach: scopeShape("What this access token allows now."),
  consented_at: instant("When the account holder consented"),
  access_ends_at: instant("When this access token expires", 1_800_003_600),
  refresh_ends_at: orNull(
    instant("When the refresh token expires if it is not used, rounded down to 00:00 UTC", 1_807_747_200),
  ),
  ends_at: orNull(
    instant(
      "When the credential ends at the latest, rounded down to 00:00 UTC; null for a service account",
      1_831_507_200,
    ),
  ),
  elevated_until: orNull(instant("Until when it is elevated, or null"), null),
})

export const heldCredentials = record("HeldCredentials", {
  credentials: list("The credentials of this page, newest first.", credentialShape),
  next,
})

export const ownCredentialQuery = record(null, pagingBy(isIdentifier))

export const credentialQuery = record(null, {
  user_id: optional(userIdShape("Only those of this account.")),
  client_id: optional(clientIdShape("Only those of this app.")),
  live: optional(flag("Only active ones.")),
  ...pagingBy(isIdentifier),
})
