/** What the API is sent, record by record. What a value must be beyond its type, the rules of the service say. */
import { isIdentifier } from "../../kernel/identifier.ts"
import { ICON_BYTES_AT_MOST, PASSWORD_LENGTH, REDIRECT_URIS_AT_MOST } from "../../kernel/limits.ts"
import type { Body } from "../kit/input.ts"
import { choice, flag, list, optional, orNull, record, text, refined, integer } from "../kit/shape.ts"
import { numberPaging, paging } from "../kit/paging.ts"
import { kind } from "./responses.ts"
import { readablePeriods } from "./statistics-responses.ts"

const username = text("The name of the account.", "ada", { most: 256 })
const password = text("Its password.", "correct horse battery staple", {
  least: PASSWORD_LENGTH.least,
  most: PASSWORD_LENGTH.most,
  format: "password",
})
const admin = flag("Whether it is an administrator's.")

const identifier = (description: string) =>
  refined(text(description, "01k3v7m2q8xj5c9d4e6f7g8h9j", { most: 26 }), isIdentifier, "is no identifier.")

export const pageQuery = record(null, paging)

export const ownAccountUpdate = record("OwnAccountUpdate", { username: optional(username) })

export const newAccount = record("NewAccount", { username, password, admin: optional(admin) })
export const accountUpdate = record("AccountUpdate", {
  username: optional(username),
  admin: optional(admin),
  enabled: optional(flag("Whether it may be used.")),
})
export const newPassword = record("NewPassword", { password })
export const accountQuery = record(null, {
  name_begins: optional(
    text("What the name begins with, in any spelling. The list is then in the order of names.", "a", {
      most: 256,
    }),
  ),
  admin: optional(flag("Administrators only, or (0) the others.")),
  enabled: optional(flag("Those that may be used only, or (0) the others.")),
  ...paging,
})

const appMembers = {
  client_name: text("The name that the consent page shows.", "My notes", { most: 1000 }),
  redirect_uris: list("Where the browser may return to.", text("An address.", "http://127.0.0.1/callback"), {
    most: REDIRECT_URIS_AT_MOST,
  }),
  scope: text("What it may ever ask for: permissions, space-delimited.", "account:read"),
  step_up: flag("Whether it may ask for a step-up."),
}
const administratorsMembers = {
  verified: optional(flag("Whether the service vouches for it.")),
  resource_server: optional(flag("Whether it may introspect tokens. Confidential apps only.")),
  owner: optional(
    orNull(text("The name of the account that it belongs to; null for none.", "ada", { most: 256 })),
  ),
}
const newAppMembers = {
  client_type: choice("`public` has no secret. Fixed for life.", ["public", "confidential"]),
  client_name: appMembers.client_name,
  redirect_uris: optional(appMembers.redirect_uris),
  scope: optional(appMembers.scope),
  step_up: optional(appMembers.step_up),
}
const appUpdateMembers = {
  client_name: optional(appMembers.client_name),
  redirect_uris: optional(appMembers.redirect_uris),
  scope: optional(appMembers.scope),
  step_up: optional(appMembers.step_up),
  enabled: optional(flag("Whether it may be used.")),
}

export const newOwnApp = record("NewOwnApp", newAppMembers)
export const newApp = record("NewApp", { ...newAppMembers, ...administratorsMembers })
export const ownAppUpdate = record("OwnAppUpdate", appUpdateMembers)
export const appUpdate = record("AppUpdate", { ...appUpdateMembers, ...administratorsMembers })
export const previewQuery = record(null, {
  preview: optional(flag("Changes nothing: tells what the change would take and bring.")),
})
export const appQuery = record(null, {
  name_contains: optional(
    text("What the name contains; ASCII letters match in either case.", "notes", { most: 200 }),
  ),
  owner_id: optional(identifier("Apps of this account only.")),
  registered_by: optional(
    choice("Apps that were registered by these only.", ["itself", "user", "administrator"]),
  ),
  ...paging,
})

/** The bytes of a picture's file; it is drawn anew before anything of it is kept. */
export const icon: Body<Uint8Array> = {
  picture: ["image/png", "image/jpeg", "image/webp", "image/gif"],
  most: ICON_BYTES_AT_MOST,
  read: (bytes) => bytes,
}

export const credentialQuery = record(null, {
  user_id: optional(identifier("Of this account only.")),
  client_id: optional(identifier("Of this app only.")),
  live: optional(flag("Those that are active now only.")),
  ...paging,
})

export const settingValue = record("SettingValue", {
  value: text("As a person writes it.", "3600", { most: 10_000 }),
})

const moment = (what: string) => integer(`${what}, in seconds since 1970.`, 1_800_000_000)

export const activityQuery = record(null, numberPaging)
export const eventQuery = record(null, {
  kind: optional(list("Of these kinds only; several with commas between.", kind, { most: 50 })),
  user_id: optional(identifier("About this account only.")),
  client_id: optional(identifier("About this app only.")),
  token_id: optional(identifier("About this credential only.")),
  since: optional(moment("From this instant on")),
  until: optional(moment("Before this instant")),
  ...numberPaging,
})

const days = optional(
  integer("How many days, up to the end of yesterday (UTC); left out, 30.", 30, { least: 1, most: 90 }),
)
export const healthQuery = record(null, { days })
export const worstAppsQuery = record(null, { days, limit: paging.limit })
export const overviewQuery = record(null, {
  period: optional(choice("How far back; left out, a day.", readablePeriods)),
})
