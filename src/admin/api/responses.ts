/** The responses of the API, with the names and meanings of their members. */
import { eventKinds } from "../../model/event.rules.ts"
import { type Client, SIGNING_ALGORITHMS } from "../../model/clients/client.rules.ts"
import {
  type RegistrationRecord,
  registrationRecord,
} from "../../apps/registration/registration-record.rules.ts"
import type { Account } from "../../model/account.rules.ts"
import { choice, flag, instant, list, opaque, optional, orNull, record, text, integer } from "./shape.ts"

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

const EXAMPLE_ID = "01k3v7m2q8xj5c9d4e6f7g8h9j"
const DOCUMENT_EXAMPLE = "https://app.example/oauth/client.json"
const id = (of: string) => text(`Identifier of the ${of}.`, EXAMPLE_ID)

const username = text("The name of the account, as its holder writes it.", "ada")
const scope = (what: string) => text(`${what} Permissions, separated by spaces.`, "account:read")

const ownAccountMembers = {
  user_id: id("account"),
  username,
  admin: flag("Whether the account is an administrator.", false),
  created_at: instant("When it was created"),
  account_type: optional(choice("A `service` account has no sign-in. Absent for a person.", ["service"])),
}

export const ownAccount = record("OwnAccount", ownAccountMembers)

export const account = record("Account", {
  ...ownAccountMembers,
  enabled: flag("Whether it is enabled. A disabled account cannot sign in, and its credentials do not work."),
  owner: optional(
    text("The person who answers for a service account. Absent where the service itself owns it.", "ada"),
  ),
})

export const ownCredential = record("OwnCredential", {
  token_id: id("credential"),
  client_id: id("app"),
  client_name: text("The name of the app.", "My notes"),
  user_id: id("account"),
  username,
  installation_name: orNull(text("The label of this copy of the app.", "Laptop")),
  scope: scope("What the account holder consented to."),
  reach: scope("What this access token allows now."),
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

const credentialMembers = {
  token_id: id("credential"),
  client_id: id("app"),
  user_id: id("account"),
  username: orNull(username),
  installation_name: orNull(text("The label of this copy of the app.", "Laptop")),
  scope: scope("What the account holder consented to."),
  reach: scope("What it allows now. Empty if it cannot be used."),
  state: choice("`issued` until its code is exchanged.", ["active", "issued", "revoked", "ended"]),
  consented_at: instant("When the account holder consented"),
  rotated_at: optional(
    orNull(
      instant(
        "When its tokens were last issued; null before the first time; absent for the credential of this access token",
      ),
    ),
  ),
  ends_at: orNull(
    instant(
      "When the credential ends at the latest; rounded down to 00:00 UTC for the credential of this access token; null for a service account",
      1_831_536_000,
    ),
  ),
  elevated_until: orNull(instant("Until when it is elevated, or null"), null),
}

export const credential = record("Credential", credentialMembers)

const explained = {
  sentence: text(
    "The reason.",
    "Reached: the account holder consented to it, and the app's registration lists it.",
  ),
  remedy: orNull(text("What would change that, or null.", "Add it to the registration of the app."), null),
}

export const explanation = record("Explanation", {
  ...credentialMembers,
  client_name: orNull(text("The name of the app, or null if it was removed.", "My notes")),
  blockers: list(
    "Why none of it can be used.",
    choice("The reason.", [
      "revoked",
      "ended",
      "app-gone",
      "app-disabled",
      "account-gone",
      "account-disabled",
    ]),
    { example: [] },
  ),
  over_at: orNull(instant("When it was revoked or ended"), null),
  because: orNull(text("Why it ended, in one word.", "administrator"), null),
  next_end: orNull(
    record(null, {
      at: instant("The time"),
      rule: text("`code`, `idle` or `lifetime`.", "lifetime"),
    }),
  ),
  explained: list("About the credential as a whole, in sentences.", record(null, explained)),
  access_tokens: list(
    "Its access tokens, newest first. For the credential of this access token, only that token.",
    record(null, {
      issued_at: instant("When it was issued"),
      expires_at: instant("When it expires; 0 if it was already reported as expired", 1_800_003_600),
      live: flag("Whether it has not expired."),
      narrowed_to: orNull(scope("The scope that the refresh asked for, or null for all."), null),
      reach: scope("What it allows now."),
      sentence: text(
        "The same as a sentence.",
        "Issued on …, good until …, reaches all that the credential does.",
      ),
    }),
  ),
  permissions: list(
    "Every permission of the catalog, and any that the account holder consented to and that was removed from it.",
    record(null, {
      permission: text("The name of the permission.", "account:read"),
      title: orNull(text("The title for people.", "See your account")),
      reached: flag("Whether it is allowed now."),
      consented: flag("Whether the account holder consented to it."),
      consent_implied_by: list(
        "Other consented permissions that imply it.",
        text("A permission.", "account:write"),
        {
          example: [],
        },
      ),
      ceiling: choice("Whether the registration of the app names it, implies it, or neither.", [
        "named",
        "implied",
        "absent",
      ]),
      ceiling_implied_by: list(
        "Other registered permissions that imply it.",
        text("A permission.", "account:write"),
        {
          example: [],
        },
      ),
      blockers: list(
        "Why it is not allowed.",
        choice("The reason.", ["left-catalog", "not-consented", "beyond-ceiling", "no-administrator"]),
        { example: [] },
      ),
      ...explained,
    }),
  ),
})

export const session = record("Session", {
  id: text("Identifies the session. It is not a secret.", "vXq3kS0cPq2sJmU9w1aZ4g"),
  signed_in_at: instant("When the person signed in"),
  seen_at: instant("When it was last used, to ten minutes"),
  address: text("The network address of the sign-in.", "192.0.2.7"),
  user_agent: text("The User-Agent header of the browser.", "Mozilla/5.0"),
})

export const factor = record("Factor", {
  id: id("factor"),
  kind: choice("The kind of factor.", ["totp", "passkey", "recovery"]),
  name: text("The name that its owner gave it.", "Phone"),
  added_at: instant("When it was added"),
  used_at: orNull(instant("When it was last used"), null),
  codes_left: optional(integer("How many recovery codes are left. Absent for other kinds.", 10)),
})

export const factors = record("Factors", { factors: list("The factors of the account.", factor) })

const appMembers = {
  client_id: id("app"),
  client_type: choice("`public` apps have no secret. Cannot change.", ["public", "confidential"]),
  client_name: text("The name that the consent page shows.", "My notes"),
  redirect_uris: list("The redirect URIs.", text("A redirect URI.", "http://127.0.0.1/callback")),
  scope: scope("What it may ask for."),
  verified: flag("Whether it is verified. Verified apps show their icon.", false),
  step_up: flag("Whether it may ask for a step-up.", false),
  resource_server: flag("Whether it may introspect tokens.", false),
  ends_with_session: optional(
    flag("Present if its access ends with the sign-in session of the consent.", true),
  ),
  device_flow: optional(flag("`false` if it may not use the device flow; otherwise absent.", false)),
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

export const document = record("Document", {
  client_id: text("The URL of the document.", DOCUMENT_EXAMPLE),
  client_name: text("The name of the app.", "My notes"),
  host: text("The host of the URL, with its port.", "app.example"),
  state: choice("The state of the stored copy.", ["fresh", "stale", "failing", "pinned", "denied"]),
  fetched_at: orNull(instant("When the copy was fetched or pinned")),
  next_fetch_at: orNull(instant("When an authorization fetches it next"), null),
  last_error: orNull(text("Why the last fetch failed.", "The host answered with status 403."), null),
  credentials: integer("Active credentials.", 12),
})

export const setting = record("Setting", {
  key: text("The name of the setting.", "token.access_seconds"),
  value: text("The current value.", "3600"),
  default: text("The default value.", "3600"),
  is_default: flag("Whether the value is the default."),
  explanation: text("What it means.", "How many seconds an access token lives."),
})

export const kind = choice("The kind of event.", [
  "signed-in",
  ...eventKinds.filter((one) => one !== "signed-in"),
])

const eventMembers = {
  id: integer("Increases with each event.", 42),
  at: instant("When it happened"),
  kind,
  client_id: orNull(id("app")),
  client_name: orNull(text("The current name of the app.", "My notes")),
  token_id: orNull(id("credential")),
  address: orNull(text("The network address of the request.", "192.0.2.7")),
  detail: orNull(text("Details, in a few words.", "administrator"), null),
}

export const event = record("Event", {
  ...eventMembers,
  user_id: orNull(id("account")),
  username: orNull(username),
  actor_id: orNull(text("The account that did it, or null if it is the same account.", EXAMPLE_ID), null),
  actor: orNull(text("The name of that account.", "root"), null),
})

export const activity = record("Activity", {
  ...eventMembers,
  by_other: flag("Whether an administrator or the service did it.", false),
})
