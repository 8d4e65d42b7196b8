/** Rules for registrations and changes by owners and administrators. Interface SVC-7, SVC-8. */
import { type AppUpdate, updatedClient } from "./app-change.rules.ts"
import type { Client, ClientType } from "../model/clients/client.rules.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import type { UserId } from "../kernel/ids.ts"
import { isAdmin } from "../model/permissions/permission.rules.ts"
import type { Catalog } from "../model/permissions/permission-catalog.rules.ts"
import type { OpenSchemes } from "../model/clients/redirect-registration.rules.ts"
import {
  parseRegistration,
  type Registration,
  type SessionAndDevice,
} from "../model/clients/registration.rules.ts"
import { lookAlikeProblem } from "../kernel/visible-text.ts"

/** The account that owns an app, and the private-use schemes that the account may register (REDIR-5). */
export type Owner = { readonly userId: UserId; readonly openSchemes: OpenSchemes }

/** A registration that an owner asks for. */
export type AskedOwnApp = {
  readonly type: ClientType
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly permissions: readonly string[]
  /** If null or omitted, a confidential app authenticates with a client secret. */
  readonly keys?: Client["keys"] | undefined
  /** The default is false. */
  readonly stepUp?: boolean | undefined
}

/** A registration that an administrator asks for. */
export type AskedApp = AskedOwnApp &
  SessionAndDevice & {
    readonly verified?: boolean | undefined
    readonly resourceServer?: boolean | undefined
  }

/** Members that are left out stay unchanged. */
export type OwnAppUpdate = Omit<AppUpdate, "verified" | "resourceServer" | keyof SessionAndDevice>

/**
 * Checks a registration. `owner` is null if an administrator registers the app. An administrator may register any
 * private-use scheme (REDIR-5).
 */
export function parseAppRegistration(
  catalog: Catalog,
  asked: AskedApp,
  owner: Pick<Owner, "openSchemes"> | null,
): Result<Registration, Problem> {
  if (owner !== null) return parseOwnRegistration(catalog, asked, owner.openSchemes)
  const { verified = false, stepUp = false, resourceServer = false } = asked
  const registration = { ...asked, verified, stepUp, resourceServer }
  return parseRegistration(catalog, registration, { schemes: "any", registered: [] })
}

/**
 * Checks a registration by an owner. The app cannot be verified, cannot be a resource server and cannot have admin
 * permissions.
 */
export function parseOwnRegistration(
  catalog: Catalog,
  asked: AskedOwnApp,
  schemes: OpenSchemes,
): Result<Registration, Problem> {
  const problem = lookAlikeProblem(asked.name)
  if (problem !== null) return err(problem)
  const withheld = asked.permissions.find(isAdmin)
  if (withheld !== undefined) return err(administratorsOnly(withheld))
  const { type, keys, name, redirectUris, permissions, stepUp = false } = asked
  if (isFetched(keys)) return err(ADMINISTRATORS_FETCH)
  const registration = {
    type,
    keys,
    name,
    redirectUris,
    permissions,
    stepUp,
    verified: false,
    resourceServer: false,
  }
  return parseRegistration(catalog, registration, { schemes, registered: [] })
}

/** Returns the client after an update. `owner` is null if an administrator makes the update. */
export function clientAfter(
  catalog: Catalog,
  client: Client,
  update: AppUpdate,
  owner: Pick<Owner, "openSchemes"> | null,
): Result<Client, Problem> {
  return owner === null
    ? updatedClient(catalog, client, update, "any")
    : ownUpdatedClient(catalog, client, update, owner.openSchemes)
}

/**
 * Returns the client after an update by its owner. The owner may keep or remove an admin permission, but not add one.
 * Verification covers the name and the redirect URIs. A new name or redirect URI therefore ends the verification.
 */
export function ownUpdatedClient(
  catalog: Catalog,
  client: Client,
  update: OwnAppUpdate,
  schemes: OpenSchemes,
): Result<Client, Problem> {
  const problem = update.name === undefined ? null : lookAlikeProblem(update.name)
  if (problem !== null) return err(problem)
  if (isFetched(update.keys)) return err(ADMINISTRATORS_FETCH)
  // Only these members are copied, so an owner cannot set others even if a caller passes them.
  const known: OwnAppUpdate = {
    name: update.name,
    redirectUris: update.redirectUris,
    addRedirectUris: update.addRedirectUris,
    removeRedirectUris: update.removeRedirectUris,
    permissions: update.permissions,
    addPermissions: update.addPermissions,
    removePermissions: update.removePermissions,
    stepUp: update.stepUp,
    keys: update.keys,
  }
  const updated = updatedClient(catalog, client, known, schemes)
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

/** Whether the app has a URL for its keys. The service fetches keys only from URLs that administrators entered. */
function isFetched(keys: Client["keys"] | undefined): boolean {
  return typeof keys?.jwksUri === "string"
}

const ADMINISTRATORS_FETCH =
  "Only an administrator can register a jwks_uri. Register the keys themselves as jwks."

function administratorsOnly(name: string): string {
  return `Only an administrator can let an app ask for ${name}.`
}
