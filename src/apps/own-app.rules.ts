/** Rules for registrations and changes by owners and administrators. Interface SVC-7, SVC-8. */
import { type AppUpdate, updatedClient } from "./app-change.rules.ts"
import { ownersSwitches } from "../model/clients/app-switches.rules.ts"
import { ownersOpenid } from "../model/clients/openid-members.rules.ts"
import type { Client } from "../model/clients/client.rules.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import type { UserId } from "../kernel/ids.ts"
import { isAdmin, lastingClosure } from "../model/permissions/permission.rules.ts"
import type { Catalog } from "../model/permissions/permission-catalog.rules.ts"
import type { OpenSchemes } from "../model/clients/redirect-registration.rules.ts"
import {
  type RegistrationInput,
  parseRegistration,
  type Registration,
} from "../model/clients/registration.rules.ts"
import { lookAlikeProblem } from "../kernel/visible-text.ts"

/** The account that owns an app, and the private-use schemes that the account may register (REDIR-5). */
export type Owner = { readonly userId: UserId; readonly openSchemes: OpenSchemes }

/**
 * Checks a registration. `owner` is null if an administrator registers the app. An administrator may register any
 * private-use scheme (REDIR-5). The app of an owner cannot have admin
 * permissions, groups or the switches of administrators.
 */
export function parseAppRegistration(
  catalog: Catalog,
  input: RegistrationInput,
  owner: Pick<Owner, "openSchemes"> | null,
): Result<Registration, Problem> {
  if (owner === null) return parseRegistration(catalog, input, { schemes: "any", registered: [] })
  const problem =
    lookAlikeProblem(input.name) ?? administratorsPermission(input.permissions) ?? keysProblem(input)
  if (problem !== null) return err(problem)
  const rules = { schemes: owner.openSchemes, registered: [] }
  return parseRegistration(
    catalog,
    { ...input, ...ownersSwitches(input), ...ownersOpenid, groups: [] },
    rules,
  )
}

/**
 * Returns the client after an update. `owner` is null if an administrator makes the update. An owner may keep or remove
 * an admin permission, but not add one, and keeps the groups. Of an app that is bound to a service account, an owner only takes permissions
 * away, because an administrator bound it to what it could reach (SERVICE-2). Verification and a remembered consent cover the name and the
 * redirect URIs. A new name or redirect URI from the owner therefore ends both.
 */
export function clientAfter(
  catalog: Catalog,
  client: Client,
  update: AppUpdate,
  owner: Pick<Owner, "openSchemes"> | null,
): Result<Client, Problem> {
  if (owner === null) return updatedClient(catalog, client, update, "any")
  const problem = (update.name === undefined ? null : lookAlikeProblem(update.name)) ?? keysProblem(update)
  if (problem !== null) return err(problem)
  const keptGroups = { groups: undefined, addGroups: undefined, removeGroups: undefined }
  const owners = { ...update, ...ownersSwitches(update), ...ownersOpenid, ...keptGroups }
  const updated = updatedClient(catalog, client, owners, owner.openSchemes)
  if (!updated.ok) return updated
  const after = updated.value
  const gained = ownersPermissionProblem(catalog, client, after.ceiling)
  if (gained !== null) return err(gained)
  const isSame = isWhatWasVerified(client, after)
  return ok({
    ...after,
    verified: after.verified && isSame,
    rememberConsent: after.rememberConsent && isSame,
  })
}

function isWhatWasVerified(before: Client, after: Client): boolean {
  return (
    after.name === before.name && after.redirectUris.every((address) => before.redirectUris.includes(address))
  )
}

/** The service fetches keys only from URLs that administrators entered. */
function keysProblem({ keys }: Pick<RegistrationInput, "keys">): Problem | null {
  return typeof keys?.jwksUri === "string"
    ? "Only an administrator can register a jwks_uri. Register the keys themselves as jwks."
    : null
}

/** Returns the problem of the permissions that an owner wants for a registered app. A new app is not bound. */
export function ownersPermissionProblem(
  catalog: Catalog,
  client: Pick<Client, "ceiling" | "binding"> | null,
  wanted: readonly string[],
): Problem | null {
  const { ceiling, binding } = client ?? { ceiling: [], binding: null }
  const added = wanted.filter((name) => !ceiling.some((one) => one === name))
  const withheld = administratorsPermission(added)
  if (withheld !== null || binding === null) return withheld
  const reached: ReadonlySet<string> = lastingClosure(catalog, ceiling)
  const wider = added.find((name) => !reached.has(name))
  return wider === undefined
    ? null
    : `The app acts for a service account. Only an administrator can let it ask for ${wider}.`
}

export function administratorsPermission(added: readonly string[]): Problem | null {
  const withheld = added.find(isAdmin)
  return withheld === undefined ? null : `Only an administrator can let an app ask for ${withheld}.`
}
