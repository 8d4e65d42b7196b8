/** What people may do with apps of their own: interface SVC-8. What needs an administrator is left out here. */
import { type AppUpdate, updatedClient } from "./app-change.rules.ts"
import type { Client, ClientType } from "../records/client.rules.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import { isAdmin } from "../permissions/permission.rules.ts"
import type { Catalogue } from "../permissions/permission-catalogue.rules.ts"
import type { OpenSchemes } from "../records/redirect-registration.rules.ts"
import { parseRegistration, type Registration } from "../records/registration.rules.ts"
import { lookAlikeProblem } from "../kernel/visible-text.ts"

/** What somebody registers in their own name. */
export type AskedOwnApp = {
  readonly type: ClientType
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly permissions: readonly string[]
  /** Left out, the app may not ask for a step-up. */
  readonly stepUp?: boolean | undefined
}

/** What is left out stays as it is. */
export type OwnAppUpdate = Omit<AppUpdate, "verified" | "resourceServer">

/** Unverified, without administration, and no resource server. */
export function parseOwnRegistration(
  catalogue: Catalogue,
  asked: AskedOwnApp,
  schemes: OpenSchemes,
): Result<Registration, Problem> {
  const problem = lookAlikeProblem(asked.name)
  if (problem !== null) return err(problem)
  const withheld = asked.permissions.find(isAdmin)
  if (withheld !== undefined) return err(administratorsOnly(withheld))
  const { type, name, redirectUris, permissions, stepUp = false } = asked
  const registration = {
    type,
    name,
    redirectUris,
    permissions,
    stepUp,
    verified: false,
    resourceServer: false,
  }
  return parseRegistration(catalogue, registration, { schemes, registered: [] })
}

/**
 * The client as its owner's update makes it. An admin permission that an administrator gave stays until it is taken
 * away, and then only an administrator gives it back. What the service vouches for is a name and where it returns to:
 * with a new name or a new redirect address an app is not verified any more.
 */
export function ownUpdatedClient(
  catalogue: Catalogue,
  client: Client,
  update: OwnAppUpdate,
  schemes: OpenSchemes,
): Result<Client, Problem> {
  const problem = update.name === undefined ? null : lookAlikeProblem(update.name)
  if (problem !== null) return err(problem)
  // Named one by one: whatever else came along is an administrator's to say.
  const known: OwnAppUpdate = {
    name: update.name,
    redirectUris: update.redirectUris,
    addRedirectUris: update.addRedirectUris,
    removeRedirectUris: update.removeRedirectUris,
    permissions: update.permissions,
    addPermissions: update.addPermissions,
    removePermissions: update.removePermissions,
    stepUp: update.stepUp,
  }
  const updated = updatedClient(catalogue, client, known, schemes)
  if (!updated.ok) return updated
  const after = updated.value
  const gained = after.ceiling.find((name) => isAdmin(name) && !client.ceiling.includes(name))
  if (gained !== undefined) return err(administratorsOnly(gained))
  return ok({ ...after, verified: after.verified && isWhatWasVerified(client, after) })
}

function isWhatWasVerified(before: Client, after: Client): boolean {
  return (
    after.name === before.name && after.redirectUris.every((address) => before.redirectUris.includes(address))
  )
}

function administratorsOnly(name: string): string {
  return `Only an administrator can let an app ask for ${name}.`
}
