/** Requests about apps. Shapes check types. The rules of the service check values. */
import { isClientId } from "../../kernel/identifier.ts"
import { ICON_BYTES_AT_MOST, REDIRECT_URIS_AT_MOST } from "../../kernel/limits.ts"
import type { Body } from "./input.ts"
import { appSwitches, type SwitchRow } from "../../model/clients/app-switches.rules.ts"
import {
  choice,
  flag,
  list,
  opaque,
  type Optional,
  optional,
  orNull,
  record,
  text,
} from "../../platform/json/shape.rules.ts"
import { userIdShape } from "./ids.ts"
import { pagingBy } from "./paging.ts"
import { KEYS_EXAMPLE } from "./responses.ts"

export const appPageQuery = record(null, pagingBy(isClientId))

const jwks = opaque<object>(
  "Its public keys as a JWK set (RFC 7517). The app holds a key and has no secret.",
  KEYS_EXAMPLE,
)

type SwitchMembers<By> = {
  readonly [R in Extract<SwitchRow, { setBy: By }> as R["name"]]: Optional<boolean>
}

/** Returns the switches that `by` may set. */
function switchMembers<By extends SwitchRow["setBy"]>(by: By): SwitchMembers<By> {
  const rows = appSwitches.filter(({ setBy }) => setBy === by)
  return Object.fromEntries(
    rows.map(({ name, request }) => [name, optional(flag(request))]),
  ) as SwitchMembers<By>
}

const appMembers = {
  client_name: text("The name that the consent page shows.", "My notes", { most: 1000 }),
  redirect_uris: list("The redirect URIs.", text("A redirect URI.", "http://127.0.0.1/callback"), {
    most: REDIRECT_URIS_AT_MOST,
  }),
  scope: text("The permissions that it may ask for, separated by spaces.", "account:read"),
}
const administratorsMembers = {
  ...switchMembers("administrator"),
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
  ...switchMembers("owner"),
  jwks: optional(jwks),
}
const appUpdateMembers = {
  client_name: optional(appMembers.client_name),
  redirect_uris: optional(appMembers.redirect_uris),
  scope: optional(appMembers.scope),
  ...switchMembers("owner"),
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
  owner_id: optional(userIdShape("Only apps of this account.")),
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
