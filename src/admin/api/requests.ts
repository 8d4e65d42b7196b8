/** The request bodies and queries of the API. Shapes check types. The rules of the service check values. */
import { isClientId, isIdentifier, isUserId } from "../../kernel/identifier.ts"
import {
  DOCUMENT_BYTES_AT_MOST,
  DOCUMENT_URL_BYTES_AT_MOST,
  ICON_BYTES_AT_MOST,
  PASSWORD_LENGTH,
  REDIRECT_URIS_AT_MOST,
  USER_ID_LENGTH_AT_MOST,
} from "../../kernel/limits.ts"
import type { Body } from "./input.ts"
import { choice, flag, list, opaque, optional, orNull, record, text, refined, integer } from "./shape.ts"
import { numberPaging, pagingBy } from "./paging.ts"
import { KEYS_EXAMPLE, kind } from "./responses.ts"
import { readablePeriods } from "./statistics-responses.ts"

const username = text("The name of the account.", "ada", { most: 256 })
const password = text("The password of the account.", "correct horse battery staple", {
  least: PASSWORD_LENGTH.least,
  most: PASSWORD_LENGTH.most,
  format: "password",
})
const admin = flag("Whether the account is an administrator.")

const identifier = (description: string) =>
  refined(
    text(description, "01k3v7m2q8xj5c9d4e6f7g8h9j", { most: 26 }),
    isIdentifier,
    "is not an identifier.",
  )

const userId = (description: string) =>
  refined(
    text(description, "01k3v7m2q8xj5c9d4e6f7g8h9j", { most: USER_ID_LENGTH_AT_MOST }),
    isUserId,
    "is not the id of an account.",
  )

const clientId = (description: string) =>
  refined(
    text(description, "01k3v7m2q8xj5c9d4e6f7g8h9j", { most: DOCUMENT_URL_BYTES_AT_MOST }),
    isClientId,
    "is not an identifier.",
  )

export const pinnedDocument = record("PinnedDocument", {
  document: text("The document, as JSON text.", '{ "client_id": "https://app.example/oauth/client.json" }', {
    most: DOCUMENT_BYTES_AT_MOST,
  }),
})

export const tokenPageQuery = record(null, pagingBy(isIdentifier))
export const appPageQuery = record(null, pagingBy(isClientId))

export const ownAccountUpdate = record("OwnAccountUpdate", { username: optional(username) })

const accountType = choice("A `service` account has no sign-in. Apps that are bound to it act as it.", [
  "person",
  "service",
])

export const newAccount = record("NewAccount", {
  username,
  account_type: optional(accountType),
  password: optional(password),
  owner: optional(text("The person who answers for a service account.", "ada", { most: 256 })),
  admin: optional(admin),
})
export const accountUpdate = record("AccountUpdate", {
  username: optional(username),
  admin: optional(admin),
  enabled: optional(flag("Whether it is enabled.")),
})
export const newPassword = record("NewPassword", { password })
export const accountQuery = record(null, {
  name_begins: optional(
    text("The start of the name, in any spelling. The list is then sorted by name.", "a", {
      most: 256,
    }),
  ),
  admin: optional(flag("Only administrators; with 0, only the others.")),
  enabled: optional(flag("Only enabled accounts; with 0, only disabled ones.")),
  account_type: optional(choice("Only accounts of this type.", ["person", "service"])),
  ...pagingBy(isUserId),
})

const jwks = opaque<object>(
  "Its public keys as a JWK set (RFC 7517). The app holds a key and has no secret.",
  KEYS_EXAMPLE,
)

const appMembers = {
  client_name: text("The name that the consent page shows.", "My notes", { most: 1000 }),
  redirect_uris: list("The redirect URIs.", text("A redirect URI.", "http://127.0.0.1/callback"), {
    most: REDIRECT_URIS_AT_MOST,
  }),
  scope: text("The permissions that it may ask for, separated by spaces.", "account:read"),
  step_up: flag("Whether it may ask for a step-up."),
}
const administratorsMembers = {
  verified: optional(flag("Whether it is verified. Verified apps show their icon.")),
  resource_server: optional(flag("Whether it may introspect tokens. Only for confidential apps.")),
  ends_with_session: optional(flag("Whether its access ends with the sign-in session of the consent.")),
  device_flow: optional(flag("Whether it may use the device flow.")),
  jwks_uri: optional(
    text("Where it publishes its public keys. In place of `jwks`.", "https://app.example/keys", {
      most: 2000,
    }),
  ),
  owner: optional(orNull(text("The name of the account that owns it, or null.", "ada", { most: 256 }))),
  service_account: optional(
    orNull(
      text(
        "The service account that it may act as by `client_credentials`, or null. Named again, a revoked binding works again.",
        "ci",
        { most: 256 },
      ),
    ),
  ),
}
const newAppMembers = {
  client_type: choice("`public` apps have no secret. Cannot change.", ["public", "confidential"]),
  client_name: appMembers.client_name,
  redirect_uris: optional(appMembers.redirect_uris),
  scope: optional(appMembers.scope),
  step_up: optional(appMembers.step_up),
  jwks: optional(jwks),
}
const appUpdateMembers = {
  client_name: optional(appMembers.client_name),
  redirect_uris: optional(appMembers.redirect_uris),
  scope: optional(appMembers.scope),
  step_up: optional(appMembers.step_up),
  enabled: optional(flag("Whether it is enabled.")),
  jwks: optional(jwks),
}

export const newOwnApp = record("NewOwnApp", newAppMembers)
export const newApp = record("NewApp", { ...newAppMembers, ...administratorsMembers })
export const ownAppUpdate = record("OwnAppUpdate", appUpdateMembers)
export const appUpdate = record("AppUpdate", { ...appUpdateMembers, ...administratorsMembers })
export const previewQuery = record(null, {
  preview: optional(flag("Makes no change, and returns what the change would do.")),
})
export const appQuery = record(null, {
  name_contains: optional(
    text("A part of the name. ASCII letters match in either case.", "notes", { most: 200 }),
  ),
  owner_id: optional(userId("Only apps of this account.")),
  registered_by: optional(
    choice("Only apps that were registered this way.", ["itself", "user", "administrator", "document"]),
  ),
  ...pagingBy(isClientId),
})

/** The shape of an image file. The service stores a newly encoded copy. */
export const icon: Body<Uint8Array> = {
  picture: ["image/png", "image/jpeg", "image/webp", "image/gif"],
  most: ICON_BYTES_AT_MOST,
  read: (bytes) => bytes,
}

export const credentialQuery = record(null, {
  user_id: optional(userId("Only those of this account.")),
  client_id: optional(clientId("Only those of this app.")),
  live: optional(flag("Only active ones.")),
  ...pagingBy(isIdentifier),
})

export const settingValue = record("SettingValue", {
  value: text("The value as text.", "3600", { most: 10_000 }),
})

const moment = (what: string) => integer(`${what}, in seconds since 1970.`, 1_800_000_000)

export const activityQuery = record(null, numberPaging)
export const eventQuery = record(null, {
  kind: optional(list("Only these kinds, separated by commas.", kind, { most: 50 })),
  user_id: optional(userId("Only events of this account.")),
  client_id: optional(clientId("Only events of this app.")),
  token_id: optional(identifier("Only events of this credential.")),
  since: optional(moment("The earliest time, inclusive")),
  until: optional(moment("The latest time, exclusive")),
  ...numberPaging,
})

const days = optional(
  integer("The number of days up to the end of yesterday (UTC). Default: 30.", 30, { least: 1, most: 90 }),
)
export const healthQuery = record(null, { days })
export const worstAppsQuery = record(null, { days, limit: numberPaging.limit })
export const overviewQuery = record(null, {
  period: optional(choice("The period. Default: a day.", readablePeriods)),
})
