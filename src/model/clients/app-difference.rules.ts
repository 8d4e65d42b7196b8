/**
 * Describes a change of an app's registration for the audit trail. The text contains names of members, permissions and groups,
 * but nothing that a person typed.
 */
import { appSwitches } from "./app-switches.rules.ts"
import type { Client } from "./client.rules.ts"

const NAMED_AT_MOST = 10

/** Marks a change of permissions. The activity of the app's users lists such changes. */
const PERMISSIONS = "permissions"

/**
 * Returns a text such as `permissions +files:read -account:read, verified = on, name`. Returns null if nothing changed.
 */
export function appDifference(before: Client, after: Client): string | null {
  const parts = [
    names(PERMISSIONS, before.ceiling, after.ceiling),
    names("groups", before.groups, after.groups),
    ...appSwitches.map(({ member, name }) =>
      before[member] === after[member] ? null : `${name} = ${after[member] ? "on" : "off"}`,
    ),
    ...texts.map(([member, of]) => (of(before) === of(after) ? null : member)),
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join(", ")
}

/** Whether the detail of an event names changed permissions. */
export function isOfPermissions(detail: string | null): boolean {
  return detail?.startsWith(PERMISSIONS) === true
}

/** Whether the detail of an event names a changed icon. */
export function isOfIcon(detail: string | null): boolean {
  return detail?.split(", ").includes("icon") === true
}

const texts: readonly (readonly [string, (client: Client) => string | null])[] = [
  ["name", ({ name }) => name],
  ["redirect_uris", ({ redirectUris }) => redirectUris.join(" ")],
  ["id_token_signed_response_alg", ({ idTokenAlgorithm }) => idTokenAlgorithm],
  ["post_logout_redirect_uris", ({ postLogoutRedirectUris }) => postLogoutRedirectUris.join(" ")],
  ["keys", ({ keys }) => JSON.stringify(keys)],
  ["workload", ({ keys }) => JSON.stringify(keys?.workload ?? null)],
  ["owner", ({ ownerId }) => ownerId],
  // A binding that was revoked gets a new credential when it is made again.
  ["service_account", ({ binding }) => (binding === null ? null : `${binding.userId} ${binding.tokenId}`)],
  ["icon", ({ iconHash }) => iconHash],
  ["expiry", ({ deleteAfter }) => (deleteAfter === null ? null : String(deleteAfter))],
]

function names(label: string, before: readonly string[], after: readonly string[]): string | null {
  const changes = [
    ...after.filter((name) => !before.includes(name)).map((name) => `+${name}`),
    ...before.filter((name) => !after.includes(name)).map((name) => `-${name}`),
  ]
  if (changes.length === 0) return null
  const more = changes.length - NAMED_AT_MOST
  const rest = more > 0 ? [`and ${more} more`] : []
  return [label, ...changes.slice(0, NAMED_AT_MOST), ...rest].join(" ")
}
