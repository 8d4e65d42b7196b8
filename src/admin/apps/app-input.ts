/** The bodies that register and change an app. An owner's lack the members that only administrators set. */
import { ID_TOKEN_ALGORITHMS } from "../../model/clients/openid-members.rules.ts"
import type { ManagersUpdate } from "../../apps/app.ts"
import type { NewApp } from "../../apps/add-app.ts"
import { parseJson } from "../../kernel/json.ts"
import { GROUPS_OF_APP_AT_MOST, REDIRECT_URIS_AT_MOST } from "../../kernel/limits.ts"
import { appSwitches, type SwitchRow, switchesFrom } from "../../model/clients/app-switches.rules.ts"
import { openidIn } from "../../model/clients/openid-members.rules.ts"
import { parseClientKeys } from "../../model/clients/key-set.rules.ts"
import { namesOf } from "../../model/permissions/scope.rules.ts"
import {
  choice,
  flag,
  list,
  opaque,
  type Optional,
  optional,
  orNull,
  type Parsed,
  record,
  type Shape,
  text,
} from "../../platform/json/shape.rules.ts"
import { KEYS_EXAMPLE } from "./app-record.ts"
import { workloadShape } from "./workload-shape.rules.ts"

type SwitchMembers<By> = {
  readonly [R in Extract<SwitchRow, { setBy: By }> as R["name"]]: Optional<boolean>
}

function switchMembers<By extends SwitchRow["setBy"]>(by: By): SwitchMembers<By> {
  const rows = appSwitches.filter(({ setBy }) => setBy === by)
  const members = rows.map(({ name, request }) => [name, optional(flag(request))])
  return Object.fromEntries(members) as SwitchMembers<By>
}

const name = text("The name that the consent page shows.", "My notes", { most: 1000 })
const addresses = list("The redirect URIs.", text("A redirect URI.", "http://127.0.0.1/callback"), {
  most: REDIRECT_URIS_AT_MOST,
})
const ownersMembers = {
  redirect_uris: optional(addresses),
  scope: optional(text("The permissions that it may ask for, separated by spaces.", "account:read")),
  ...switchMembers("owner"),
}
const jwks = optional(
  opaque<object>(
    "Its public keys as a JWK set (RFC 7517). The app holds a key and has no secret. Beside `workload`, the keys of the platform.",
    KEYS_EXAMPLE,
  ),
)
const administratorsMembers = {
  groups: optional(
    list("The groups that it is for. An empty list is for every account.", text("A group.", "sales"), {
      most: GROUPS_OF_APP_AT_MOST,
    }),
  ),
  ...switchMembers("administrator"),
  id_token_signed_response_alg: optional(choice("The algorithm of its id_tokens.", ID_TOKEN_ALGORITHMS)),
  post_logout_redirect_uris: optional(
    list("Where a browser may go after the app signed it out.", text("An address.", "https://app.example/"), {
      most: REDIRECT_URIS_AT_MOST,
    }),
  ),
  jwks_uri: optional(
    text("Where it publishes its public keys. In place of `jwks`.", "https://app.example/keys", {
      most: 2000,
    }),
  ),
  workload: optional(workloadShape),
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
const newMembers = {
  client_type: choice("`public` apps have no secret. Cannot change.", ["public", "confidential"]),
  client_name: name,
  ...ownersMembers,
  jwks,
}
const updateMembers = {
  client_name: optional(name),
  ...ownersMembers,
  enabled: optional(flag("Whether it is enabled.")),
  jwks,
}

export const newApp = record("NewApp", { ...newMembers, ...administratorsMembers })
export const appUpdate = record("AppUpdate", { ...updateMembers, ...administratorsMembers })

export type NewAppBody = Parsed<typeof newApp>
export type AppUpdateBody = Parsed<typeof appUpdate>

export const newOwnApp: Shape<NewAppBody> = record("NewOwnApp", newMembers)
export const ownAppUpdate: Shape<AppUpdateBody> = record("OwnAppUpdate", updateMembers)

/** Returns null if the body has no keys. */
export function keysIn({
  jwks: keys,
  jwks_uri: jwksUri,
  workload,
}: Pick<AppUpdateBody, "jwks" | "jwks_uri" | "workload">) {
  return parseClientKeys({ jwks: keys && parseJson(JSON.stringify(keys)), jwksUri, workload })
}

export function newAppIn(body: NewAppBody): NewApp {
  return {
    type: body.client_type,
    name: body.client_name,
    redirectUris: body.redirect_uris ?? [],
    permissions: namesOf(body.scope ?? ""),
    groups: body.groups,
    ...switchesFrom((row) => body[row.name]),
    ...openidIn(body),
    ownerName: body.owner,
    serviceAccountName: body.service_account,
  }
}

export function updateIn(body: AppUpdateBody): ManagersUpdate {
  return {
    name: body.client_name,
    redirectUris: body.redirect_uris,
    permissions: body.scope === undefined ? undefined : namesOf(body.scope),
    groups: body.groups,
    ...switchesFrom((row) => body[row.name]),
    ...openidIn(body),
    ownerName: body.owner,
    serviceAccountName: body.service_account,
  }
}
