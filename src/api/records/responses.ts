/** What the API tells, record by record: names and meanings of their members. */
import { eventKinds } from "../../records/event.rules.ts"
import type { Client } from "../../records/client.rules.ts"
import { registrationRecord } from "../../oauth/registration/registration-record.rules.ts"
import type { Account } from "../../records/account.rules.ts"
import { choice, flag, instant, list, optional, orNull, record, text, integer } from "../kit/shape.ts"

const EXAMPLE_ID = "01k3v7m2q8xj5c9d4e6f7g8h9j"
const id = (of: string) => text(`Identifier of the ${of}.`, EXAMPLE_ID)

const username = text("Its name, as its holder writes it.", "ada")
const scope = (what: string, example = "account:read") =>
  text(`${what} Permissions, space-delimited.`, example)

const ownAccountMembers = {
  user_id: id("account"),
  username,
  admin: flag("Whether it is an administrator's.", false),
  created_at: instant("When it was made"),
}

export const ownAccount = record("OwnAccount", ownAccountMembers)

export const account = record("Account", {
  ...ownAccountMembers,
  enabled: flag("Whether it may be used. One that is disabled signs in nowhere, and its credentials rest."),
})

export const ownCredential = record("OwnCredential", {
  token_id: id("credential"),
  client_id: id("app"),
  client_name: text("The name of the app.", "My notes"),
  user_id: id("account"),
  username,
  installation_name: orNull(text("The label of this copy of the app.", "Laptop")),
  scope: scope("What its account holder consented to."),
  reach: scope("What this access token reaches now."),
  consented_at: instant("When its account holder consented"),
  access_ends_at: instant("When this access token ends", 1_800_003_600),
  refresh_ends_at: orNull(
    instant("When its refresh token ends, if it is not refreshed, rounded down to 00:00 UTC", 1_807_747_200),
  ),
  ends_at: instant("When it ends, whatever is refreshed, rounded down to 00:00 UTC", 1_831_507_200),
  elevated_until: orNull(instant("Until when it is elevated; null where it is not"), null),
})

const credentialMembers = {
  token_id: id("credential"),
  client_id: id("app"),
  user_id: id("account"),
  username: orNull(username),
  installation_name: orNull(text("The label of this copy of the app.", "Laptop")),
  scope: scope("What its account holder consented to."),
  reach: scope("What it reaches now; empty where it cannot be used."),
  state: choice("`issued` until its code is exchanged.", ["active", "issued", "revoked", "ended"]),
  consented_at: instant("When its account holder consented"),
  rotated_at: optional(
    orNull(
      instant(
        "When its tokens were issued last; null before the first; missing for the credential that asks",
      ),
    ),
  ),
  ends_at: instant(
    "When it ends, whatever is refreshed; rounded down to 00:00 UTC for the credential that asks",
    1_831_536_000,
  ),
  elevated_until: orNull(instant("Until when it is elevated; null where it is not"), null),
}

export const credential = record("Credential", credentialMembers)

const explained = {
  sentence: text(
    "What is so.",
    "Reached: the account holder consented to it, and the app's registration lists it.",
  ),
  remedy: orNull(text("What would have to change.", "Put it on the app's registration."), null),
}

export const explanation = record("Explanation", {
  ...credentialMembers,
  client_name: orNull(text("The name of the app; null where it is gone.", "My notes")),
  blockers: list(
    "What keeps all of it from being used.",
    choice("Why.", ["revoked", "ended", "app-gone", "app-disabled", "account-gone", "account-disabled"]),
    { example: [] },
  ),
  over_at: orNull(instant("When it was revoked or ended"), null),
  because: orNull(text("Why it is over, in a word.", "administrator"), null),
  next_end: orNull(
    record(null, {
      at: instant("When"),
      rule: text("`code`, `idle` or `lifetime`.", "lifetime"),
    }),
  ),
  explained: list("The credential as a whole, in sentences.", record(null, explained)),
  access_tokens: list(
    "Its access tokens, newest first; of the credential that asks, the one that it asks with.",
    record(null, {
      issued_at: instant("When it was issued"),
      expires_at: instant("When it ends; 0 where somebody was told that it had", 1_800_003_600),
      live: flag("Whether it has not expired."),
      narrowed_to: orNull(scope("What its refresh asked for; null where it is not narrowed."), null),
      reach: scope("What it reaches now."),
      sentence: text(
        "The same in words.",
        "Issued on …, good until …, reaches all that the credential does.",
      ),
    }),
  ),
  permissions: list(
    "Every permission of the catalogue, and what was consented to and left it.",
    record(null, {
      permission: text("Its name.", "account:read"),
      title: orNull(text("As people read it.", "See your account")),
      reached: flag("Whether it is reached now."),
      consented: flag("Whether its account holder consented to it."),
      consent_implied_by: list(
        "Others of the consent that imply it.",
        text("A permission.", "account:write"),
        {
          example: [],
        },
      ),
      ceiling: choice("Where it stands in the app's registration.", ["named", "implied", "absent"]),
      ceiling_implied_by: list(
        "Others of the registration that imply it.",
        text("A permission.", "account:write"),
        {
          example: [],
        },
      ),
      obstacles: list(
        "What keeps it from being reached.",
        choice("Why.", ["left-catalogue", "not-consented", "beyond-ceiling", "no-administrator"]),
        { example: [] },
      ),
      ...explained,
    }),
  ),
})

export const session = record("Session", {
  id: text("Names the session, and opens nothing.", "vXq3kS0cPq2sJmU9w1aZ4g"),
  signed_in_at: instant("When its holder signed in"),
  seen_at: instant("When it was seen last, to ten minutes"),
  address: text("Where the sign-in came from.", "192.0.2.7"),
  user_agent: text("What the browser calls itself.", "Mozilla/5.0"),
})

export const factor = record("Factor", {
  id: id("factor"),
  kind: choice("What it is.", ["totp", "passkey", "recovery"]),
  name: text("What its holder calls it.", "Phone"),
  added_at: instant("When it was added"),
  used_at: orNull(instant("When it was used last"), null),
  codes_left: optional(integer("Of recovery codes: how many are left.", 10)),
})

const appMembers = {
  client_id: id("app"),
  client_type: choice("`public` has no secret. Fixed for life.", ["public", "confidential"]),
  client_name: text("The name that the consent page shows.", "My notes"),
  redirect_uris: list("Where the browser may return to.", text("An address.", "http://127.0.0.1/callback")),
  scope: scope("The registered ceiling: what it may ever ask for."),
  verified: flag("Whether the service vouches for it: its icon is shown.", false),
  step_up: flag("Whether it may ask for a step-up.", false),
  resource_server: flag("Whether it may introspect tokens.", false),
  enabled: flag("Whether it may be used."),
  owner: orNull(text("The name of the account that it belongs to.", "ada")),
  client_id_issued_at: instant("When it was registered"),
  registered_by: choice("Who registered it.", ["user", "administrator", "itself"]),
  icon: flag("Whether it has an icon. It is shown while the app is verified.", false),
}

export const app = record("App", appMembers)

export function appRecord(client: Client, owner: Account | null) {
  return {
    ...registrationRecord(client, owner),
    registered_by: client.registeredBy,
    icon: client.iconHash !== null,
  }
}

const secret = text("Its secret. It is told this once, and kept as a digest.", "lks_…")

export const registeredApp = record("RegisteredApp", { ...appMembers, client_secret: optional(secret) })
export const appWithSecret = record("AppWithSecret", { ...appMembers, client_secret: secret })

const touchedMembers = {
  credentials: integer("Live credentials.", 12),
  accounts: integer("The accounts that they belong to.", 7),
  apps: integer("The apps that hold them.", 1),
}
const touched = record("Touched", touchedMembers)
const permissionTouched = record(null, { ...touchedMembers, permission: text("Its name.", "account:read") })

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
  takes: list("What would be out of reach, and for how many.", permissionTouched),
  gives: list("What would come into reach.", permissionTouched, { example: [] }),
  losing: touched,
  gaining: touched,
  left_with_nothing: touched,
  reaching_again: touched,
  implied_anyway: list(
    "Names that are added and change nothing, because others imply them.",
    record(null, {
      permission: text("Its name.", "account:read"),
      implied_by: list("What implies it.", text("A permission.", "account:write")),
    }),
    { example: [] },
  ),
  sentences: list(
    "The same for people.",
    text("A sentence.", "Takes account:read from 12 live credentials of 7 accounts."),
  ),
})

export const previewedApp = record("ChangedApp", { ...appMembers, preview: optional(preview) })

export const setting = record("Setting", {
  key: text("Its name.", "token.access_seconds"),
  value: text("What is in force.", "3600"),
  default: text("What is in force where nothing is set.", "3600"),
  is_default: flag("Whether the two are the same."),
  explanation: text("What it means.", "How many seconds an access token lives."),
})

export const kind = choice("What happened.", [
  "signed-in",
  ...eventKinds.filter((one) => one !== "signed-in"),
])

const eventMembers = {
  id: integer("Grows with each event.", 42),
  at: instant("When it happened"),
  kind,
  client_id: orNull(id("app")),
  client_name: orNull(text("The name of the app, as it is now.", "My notes")),
  token_id: orNull(id("credential")),
  address: orNull(text("Where the request came from.", "192.0.2.7")),
  detail: orNull(text("A few words.", "administrator"), null),
}

export const event = record("Event", {
  ...eventMembers,
  user_id: orNull(id("account")),
  username: orNull(username),
  actor_id: orNull(text("The account that did it, where that was another one.", EXAMPLE_ID), null),
  actor: orNull(text("Its name.", "root"), null),
})

export const activity = record("Activity", {
  ...eventMembers,
  by_other: flag("Whether somebody else did it: an administrator, or the service by itself.", false),
})
