/** Apps in the responses of the API. */
import { type Client, SIGNING_ALGORITHMS } from "../../model/clients/client.rules.ts"
import {
  type RegistrationRecord,
  registrationRecord,
} from "../../apps/registration/registration-record.rules.ts"
import type { Account } from "../../model/account.rules.ts"
import { appSwitches, type SwitchRow } from "../../model/clients/app-switches.rules.ts"
import {
  choice,
  flag,
  idShape,
  instant,
  integer,
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

type SwitchMembers = {
  readonly [R in SwitchRow as R["name"]]: R["isAlwaysRecorded"] extends true
    ? Shape<boolean>
    : Optional<boolean>
}

const switchMembers = Object.fromEntries(
  appSwitches.map(({ name, record: meaning, byDefault, isAlwaysRecorded }) => [
    name,
    isAlwaysRecorded ? flag(meaning, byDefault) : optional(flag(meaning, !byDefault)),
  ]),
) as SwitchMembers

const appMembers = {
  client_id: idShape("app"),
  client_type: choice("`public` apps have no secret. Cannot change.", ["public", "confidential"]),
  client_name: text("The name that the consent page shows.", "My notes"),
  redirect_uris: list("The redirect URIs.", text("A redirect URI.", "http://127.0.0.1/callback")),
  scope: scopeShape("What it may ask for."),
  ...switchMembers,
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
  jwks: optional(
    opaque<NonNullable<RegistrationRecord["jwks"]>>(
      "Its public keys, of an app that holds a key.",
      KEYS_EXAMPLE,
    ),
  ),
  jwks_uri: optional(text("Where it publishes its public keys.", "https://app.example/keys")),
  registered_by: choice("Who registered it.", ["user", "administrator", "itself", "document"]),
  icon: flag("Whether it has an icon, which is shown only for a verified app.", false),
}

export const app = record("App", appMembers)

type OwnedApp = {
  readonly client: Client
  readonly owner: Account | null
  readonly serviceAccount: Account | null
}

export function appRecord({ client, owner, serviceAccount }: OwnedApp) {
  return {
    ...registrationRecord(client, owner, serviceAccount),
    registered_by: client.registeredBy,
    icon: client.iconHash !== null,
  }
}

const secret = text("The secret. It is returned only once, and only its hash is stored.", "lks_…")

export const registeredApp = record("RegisteredApp", { ...appMembers, client_secret: optional(secret) })
export const appWithSecret = record("AppWithSecret", { ...appMembers, client_secret: secret })

const touchedMembers = {
  credentials: integer("Active credentials.", 12),
  accounts: integer("The accounts of these credentials.", 7),
  apps: integer("The apps of these credentials.", 1),
}
const touched = record("Touched", touchedMembers)
const permissionTouched = record(null, {
  ...touchedMembers,
  permission: text("The name of the permission.", "account:read"),
})

export const preview = record("Preview", {
  change: choice("What would change.", [
    "ceiling",
    "app-disabled",
    "app-removed",
    "administration-granted",
    "administration-withdrawn",
    "account-disabled",
    "account-removed",
    "nothing",
  ]),
  live: touched,
  takes: list("The permissions that would be lost, and for how many.", permissionTouched),
  gives: list("The permissions that would be gained, and for how many.", permissionTouched, { example: [] }),
  losing: touched,
  gaining: touched,
  left_with_nothing: touched,
  reaching_again: touched,
  implied_anyway: list(
    "Added permissions that change nothing, because others imply them.",
    record(null, {
      permission: text("The name of the permission.", "account:read"),
      implied_by: list("The permissions that imply it.", text("A permission.", "account:write")),
    }),
    { example: [] },
  ),
  sentences: list(
    "The same as sentences.",
    text("A sentence.", "Takes account:read from 12 live credentials of 7 accounts."),
  ),
})

export const previewedApp = record("ChangedApp", { ...appMembers, preview: optional(preview) })

export const use = record("AppUse", {
  installations: integer("Active credentials.", 12),
  accounts: integer("Accounts of these credentials.", 7),
  is_whole: flag("False if there are more than were counted."),
})
