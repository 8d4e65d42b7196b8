/** What may be changed about a registered app. Its type is fixed for life; its id and its secret change elsewhere. */
import { removalProblem } from "../permissions/ceiling-removal.rules.ts"
import type { Client } from "../records/client.rules.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import type { Permission } from "../kernel/ids.ts"
import type { Catalogue } from "../permissions/permission-catalogue.rules.ts"
import type { OpenSchemes } from "../records/redirect-registration.rules.ts"
import { parseCeiling, parseRegistration } from "../records/registration.rules.ts"

/** What is left out stays as it is. A whole list comes first; then its entries are taken away and added. */
export type AppUpdate = {
  readonly name?: string | undefined
  readonly redirectUris?: readonly string[] | undefined
  readonly addRedirectUris?: readonly string[] | undefined
  readonly removeRedirectUris?: readonly string[] | undefined
  readonly permissions?: readonly string[] | undefined
  readonly addPermissions?: readonly string[] | undefined
  readonly removePermissions?: readonly string[] | undefined
  readonly verified?: boolean | undefined
  readonly stepUp?: boolean | undefined
  readonly resourceServer?: boolean | undefined
}

/**
 * The client as the update makes it. What is taken away must be there, so that a typing error is not taken for done.
 * A ceiling name that left the catalogue stays until it is taken away: it reaches nothing. `schemes` are those that the
 * one who changes it may add.
 */
export function updatedClient(
  catalogue: Catalogue,
  client: Client,
  update: AppUpdate,
  schemes: OpenSchemes,
): Result<Client, Problem> {
  const redirectUris = replaced(
    update.redirectUris ?? client.redirectUris,
    update.addRedirectUris,
    update.removeRedirectUris,
  )
  if (!redirectUris.ok) return err(`The app has no redirect address ${redirectUris.error}.`)
  const names = replaced<string>(
    update.permissions ?? client.ceiling,
    update.addPermissions,
    update.removePermissions,
  )
  if (!names.ok) return err(`The app's registration does not list the permission ${names.error}.`)
  const implied = removalProblem(catalogue, client.ceiling, names.value)
  if (implied !== null) return err(implied)
  const registered: ReadonlySet<string> = new Set(client.ceiling)
  const added = parseCeiling(catalogue, [
    ...names.value.filter((name) => !registered.has(name)),
    ...(update.addPermissions ?? []),
  ])
  if (!added.ok) return added
  const asked = {
    type: client.type,
    name: update.name ?? client.name,
    redirectUris: redirectUris.value,
    permissions: names.value.filter((name) => catalogue.has(name as Permission)),
    verified: update.verified ?? client.verified,
    stepUp: update.stepUp ?? client.stepUp,
    resourceServer: update.resourceServer ?? client.resourceServer,
  }
  const rules = { schemes, registered: client.redirectUris }
  const registration = parseRegistration(catalogue, asked, rules)
  if (!registration.ok) return registration
  const departed = (names.value as readonly Permission[]).filter((name) => !catalogue.has(name))
  const { ceiling } = registration.value
  return ok({ ...client, ...registration.value, ceiling: [...ceiling, ...new Set(departed)] })
}

/** The list without `taken` and with `added`; a problem is the entry that was to go and is not there. */
function replaced<T extends string>(
  list: readonly T[],
  added: readonly T[] = [],
  taken: readonly T[] = [],
): Result<readonly T[], Problem> {
  const missing = taken.find((entry) => !list.includes(entry))
  if (missing !== undefined) return err(JSON.stringify(missing))
  return ok([...list.filter((entry) => !taken.includes(entry)), ...added])
}
