/** Rules for changes of a registration. The type of an app never changes. `rotateAppSecret` replaces a secret. */
import { removalProblem } from "../model/permissions/ceiling-removal.rules.ts"
import type { Client, ClientKeys } from "../model/clients/client.rules.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import type { Permission } from "../kernel/ids.ts"
import type { Catalog } from "../model/permissions/permission-catalog.rules.ts"
import type { OpenSchemes } from "../model/clients/redirect-registration.rules.ts"
import { parseCeiling, parseRegistration } from "../model/clients/registration.rules.ts"
import { openidAfter, type OpenidUpdate } from "../model/clients/openid-members.rules.ts"
import { type SwitchUpdate, switchesAfter } from "../model/clients/app-switches.rules.ts"

/**
 * Members that are left out stay unchanged. A new list replaces the old list. After that, single entries are removed
 * and added.
 */
export type AppUpdate = SwitchUpdate &
  OpenidUpdate & {
    readonly name?: string | undefined
    readonly redirectUris?: readonly string[] | undefined
    readonly addRedirectUris?: readonly string[] | undefined
    readonly removeRedirectUris?: readonly string[] | undefined
    readonly permissions?: readonly string[] | undefined
    readonly addPermissions?: readonly string[] | undefined
    readonly removePermissions?: readonly string[] | undefined
    readonly groups?: readonly string[] | undefined
    readonly addGroups?: readonly string[] | undefined
    readonly removeGroups?: readonly string[] | undefined
    /** The new keys. They replace the old keys or the secret. */
    readonly keys?: ClientKeys | undefined
  }

/**
 * Returns the client after the update. Removing an absent entry fails, because it is probably a typing error. A
 * permission that left the catalog stays registered without effect until it is removed. `schemes` lists the
 * private-use schemes that a new redirect URI may have.
 */
export function updatedClient(
  catalog: Catalog,
  client: Client,
  update: AppUpdate,
  schemes: OpenSchemes,
): Result<Client, Problem> {
  const redirectUris = replaced(
    update.redirectUris ?? client.redirectUris,
    update.addRedirectUris,
    update.removeRedirectUris,
  )
  if (!redirectUris.ok) return err(`The app has no redirect URI ${redirectUris.error}.`)
  const names = replaced<string>(
    update.permissions ?? client.ceiling,
    update.addPermissions,
    update.removePermissions,
  )
  if (!names.ok) return err(`The app's registration does not list the permission ${names.error}.`)
  const implied = removalProblem(catalog, client.ceiling, names.value)
  if (implied !== null) return err(implied)
  const groups = replaced(update.groups ?? client.groups, update.addGroups, update.removeGroups)
  if (!groups.ok) return err(`The app is not for the group ${groups.error}.`)
  const registered: ReadonlySet<string> = new Set(client.ceiling)
  const added = parseCeiling(catalog, [
    ...names.value.filter((name) => !registered.has(name)),
    ...(update.addPermissions ?? []),
  ])
  if (!added.ok) return added
  const openid = openidAfter(client, update)
  if (!openid.ok) return openid
  const members = {
    type: client.type,
    keys: update.keys ?? client.keys,
    name: update.name ?? client.name,
    redirectUris: redirectUris.value,
    groups: groups.value,
    permissions: names.value.filter((name) => catalog.has(name as Permission)),
    ...openid.value,
    ...switchesAfter(client, update),
  }
  const rules = { schemes, registered: client.redirectUris }
  const registration = parseRegistration(catalog, members, rules)
  if (!registration.ok) return registration
  const departed = (names.value as readonly Permission[]).filter((name) => !catalog.has(name))
  const { ceiling } = registration.value
  const secretHash = registration.value.keys === null ? client.secretHash : null
  const after = withCeiling({ ...client, ...registration.value, secretHash }, client, [
    ...ceiling,
    ...new Set(departed),
  ])
  const problem = followProblem(client, after) ?? rememberProblem(client, after)
  return problem === null ? ok(after) : err(problem)
}

/** A self-registered app whose permissions change keeps them: they no longer follow the setting. REG-4. */
function withCeiling(client: Client, before: Client, ceiling: readonly Permission[]): Client {
  const isChanged = ceiling.join(" ") !== before.ceiling.join(" ")
  const ceilingByHand = before.ceilingByHand || (isChanged && before.registeredBy === "itself")
  return { ...client, ceiling, ceilingByHand }
}

/**
 * If a document describes the client (`registeredBy: "document"`), these members come from the document and cannot be
 * changed here.
 */
const FOLLOWED = ["type", "keys", "name", "redirectUris", "ceiling", "resourceServer"] as const

function followProblem(before: Client, after: Client): Problem | null {
  const isSame = FOLLOWED.every((name) => JSON.stringify(before[name]) === JSON.stringify(after[name]))
  return isSame || before.registeredBy !== "document"
    ? null
    : "The name, redirect URIs and keys of this app follow its document, and its permissions the setting registration.permissions."
}

/** Only an app that a person vouched for is allowed without the question. */
function rememberProblem(before: Client, { rememberConsent, registeredBy }: Client): Problem | null {
  const isOfPerson = registeredBy === "administrator" || registeredBy === "user"
  return rememberConsent && !before.rememberConsent && !isOfPerson
    ? "An app that registered itself or has a document asks for each access, so it cannot have remember_consent."
    : null
}

/**
 * Returns `list` without the entries in `taken` and with those in `added`. Fails with the first entry of `taken` that
 * `list` lacks.
 */
function replaced<T extends string>(
  list: readonly T[],
  added: readonly T[] = [],
  taken: readonly T[] = [],
): Result<readonly T[], Problem> {
  const missing = taken.find((entry) => !list.includes(entry))
  if (missing !== undefined) return err(JSON.stringify(missing))
  return ok([...list.filter((entry) => !taken.includes(entry)), ...added])
}
