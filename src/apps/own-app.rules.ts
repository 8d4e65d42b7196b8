/** What owners and administrators may register and change. Interface SVC-7, SVC-8. */
import { type AppUpdate, updatedClient } from "./app-change.rules.ts"
import type { Client, ClientType } from "../records/client.rules.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import type { UserId } from "../kernel/ids.ts"
import { isAdmin } from "../permissions/permission.rules.ts"
import type { Catalogue } from "../permissions/permission-catalogue.rules.ts"
import type { OpenSchemes } from "../records/redirect-registration.rules.ts"
import { parseRegistration, type Registration } from "../records/registration.rules.ts"
import { lookAlikeProblem } from "../kernel/visible-text.ts"

/** An account as the owner of apps, with the schemes that it may register (REDIR-5). */
export type Owner = { readonly userId: UserId; readonly openSchemes: OpenSchemes }

/** What an owner registers. */
export type AskedOwnApp = {
  readonly type: ClientType
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly permissions: readonly string[]
  /** Default: false. */
  readonly stepUp?: boolean | undefined
}

/** What an administrator registers. */
export type AskedApp = AskedOwnApp & {
  readonly verified?: boolean | undefined
  readonly resourceServer?: boolean | undefined
}

/** Members left out stay as they are. */
export type OwnAppUpdate = Omit<AppUpdate, "verified" | "resourceServer">

/** `owner` is null for an administrator, who may register any private-use scheme (REDIR-5). */
export function parseAppRegistration(
  catalogue: Catalogue,
  asked: AskedApp,
  owner: Pick<Owner, "openSchemes"> | null,
): Result<Registration, Problem> {
  if (owner !== null) return parseOwnRegistration(catalogue, asked, owner.openSchemes)
  const { verified = false, stepUp = false, resourceServer = false } = asked
  const registration = { ...asked, verified, stepUp, resourceServer }
  return parseRegistration(catalogue, registration, { schemes: "any", registered: [] })
}

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

/** The client after an update by its owner, or by an administrator where `owner` is null. */
export function clientAfter(
  catalogue: Catalogue,
  client: Client,
  update: AppUpdate,
  owner: Pick<Owner, "openSchemes"> | null,
): Result<Client, Problem> {
  return owner === null
    ? updatedClient(catalogue, client, update, "any")
    : ownUpdatedClient(catalogue, client, update, owner.openSchemes)
}

/**
 * The client after an update by its owner. An administrator's permission stays until the owner removes it; then only an
 * administrator can add it again. Verification covers the name and the redirect addresses, so a new one ends it.
 */
export function ownUpdatedClient(
  catalogue: Catalogue,
  client: Client,
  update: OwnAppUpdate,
  schemes: OpenSchemes,
): Result<Client, Problem> {
  const problem = update.name === undefined ? null : lookAlikeProblem(update.name)
  if (problem !== null) return err(problem)
  // Named one by one: an owner cannot set the other members, even if a caller passes them.
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
