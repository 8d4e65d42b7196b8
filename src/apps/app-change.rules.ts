/** Changes of a registration. The type of an app never changes; its secret changes elsewhere. */
import { removalProblem } from "../permissions/ceiling-removal.rules.ts"
import type { Client } from "../records/client.rules.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import type { Permission } from "../kernel/ids.ts"
import type { Catalogue } from "../permissions/permission-catalogue.rules.ts"
import type { OpenSchemes } from "../records/redirect-registration.rules.ts"
import { parseCeiling, parseRegistration } from "../records/registration.rules.ts"

/** Members left out stay as they are. A whole list applies first, then the removals and additions. */
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
 * The client after the update. Removing an entry that is not there fails, so that a typing error is noticed. A
 * permission that left the catalogue stays registered until it is removed, but gives no access. `schemes` may be added.
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

/** The list without `taken` and with `added`. The error is an entry of `taken` that is not in the list. */
function replaced<T extends string>(
  list: readonly T[],
  added: readonly T[] = [],
  taken: readonly T[] = [],
): Result<readonly T[], Problem> {
  const missing = taken.find((entry) => !list.includes(entry))
  if (missing !== undefined) return err(JSON.stringify(missing))
  return ok([...list.filter((entry) => !taken.includes(entry)), ...added])
}
