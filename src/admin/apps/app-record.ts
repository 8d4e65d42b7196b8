/** An app in the JSON of the API. */
import { ID_TOKEN_ALGORITHMS } from "../../model/clients/openid-members.rules.ts"
import type { App, AppWithSecret } from "../../apps/app.ts"
import { previewShape } from "../../apps/preview/preview-record.ts"
import {
  type RegistrationRecord,
  registrationRecord,
} from "../../apps/registration/registration-record.rules.ts"
import { appSwitches, type SwitchRow } from "../../model/clients/app-switches.rules.ts"
import { SIGNING_ALGORITHMS } from "../../model/clients/client.rules.ts"
import { workloadShape } from "./workload-shape.rules.ts"
import {
  choice,
  flag,
  idShape,
  instant,
  list,
  opaque,
  type Optional,
  optional,
  orNull,
  record,
  scopeShape,
  type Shape,
  text,
} from "../../platform/json/shape.rules.ts"

export const KEYS_EXAMPLE: NonNullable<RegistrationRecord["jwks"]> = {
  keys: [
    {
      kty: "EC",
      crv: "P-256",
      x: "0eK7OJWtIEUcuFOOHNJyUCskwXiIxpWuK5P1hYrQ3_o",
      y: "5iEb9Q-GhIeES8qhDQEbI6UmfP2B1EF8IfgXGlSK51w",
      kid: "2026-11",
    },
  ],
}

const switchMembers = Object.fromEntries(
  appSwitches.map(({ name, record: meaning, byDefault, isAlwaysRecorded }) => [
    name,
    isAlwaysRecorded ? flag(meaning, byDefault) : optional(flag(meaning, !byDefault)),
  ]),
) as {
  readonly [R in SwitchRow as R["name"]]: R["isAlwaysRecorded"] extends true
    ? Shape<boolean>
    : Optional<boolean>
}

const members = {
  client_id: idShape("app"),
  client_type: choice("`public` apps have no secret. Cannot change.", ["public", "confidential"]),
  client_name: text("The name that the consent page shows.", "My notes"),
  redirect_uris: list("The redirect URIs.", text("A redirect URI.", "http://127.0.0.1/callback")),
  scope: scopeShape("What it may ask for."),
  groups: optional(
    list("The groups that it is for. Absent if it is for every account.", text("A group.", "sales")),
  ),
  ...switchMembers,
  id_token_signed_response_alg: optional(
    choice("The algorithm of its id_tokens. Absent if it is RS256.", ID_TOKEN_ALGORITHMS),
  ),
  post_logout_redirect_uris: optional(
    list(
      "Where a browser may go after the app signed it out. Absent without one.",
      text("An address.", "https://app.example/"),
    ),
  ),
  enabled: flag("Whether it is enabled."),
  owner: orNull(text("The name of the account that owns it, or null.", "ada")),
  service_account: optional(text("The service account that it is bound to. Absent if it is not.", "ci")),
  client_id_issued_at: instant("When it was registered"),
  token_endpoint_auth_method: choice("How it authenticates. A secret may also be sent in the body.", [
    "client_secret_basic",
    "none",
    "private_key_jwt",
  ]),
  token_endpoint_auth_signing_alg: optional(
    choice("The only algorithm that it may sign with.", SIGNING_ALGORITHMS),
  ),
  jwks: optional(opaque("Its public keys, of an app that holds a key.", KEYS_EXAMPLE)),
  jwks_uri: optional(text("Where it publishes its public keys.", "https://app.example/keys")),
  workload: optional(workloadShape),
  registered_by: choice("Who registered it.", ["user", "administrator", "itself", "document"]),
  icon: flag("Whether it has an icon, which is shown only for a verified app.", false),
}

const secret = text("The secret. It is returned only once, and only its hash is stored.", "lks_…")

export const appShape = record("App", members)
export const registeredAppShape = record("RegisteredApp", { ...members, client_secret: optional(secret) })
export const appWithSecretShape = record("AppWithSecret", { ...members, client_secret: secret })
export const changedAppShape = record("ChangedApp", { ...members, preview: optional(previewShape) })

export function appRecord({ client, owner, serviceAccount }: App) {
  return {
    ...registrationRecord(client, owner, serviceAccount),
    registered_by: client.registeredBy,
    icon: client.iconHash !== null,
  }
}

/** A public app has no secret. */
export function registeredAppRecord({ secret: shown, ...app }: AppWithSecret) {
  return { ...appRecord(app), ...(shown !== null && { client_secret: shown }) }
}
