/** Parses and checks the `scope` parameter. RFC 6749 §3.3 and §6; interface PERM, TOKEN, AUTH-8. */
import type { Permission } from "../../kernel/ids.ts"
import { closure, closureSet, isAdmin, sorted } from "./permission.rules.ts"
import type { Catalog } from "./permission-catalog.rules.ts"
import { isOpenidPermission } from "./openid-permissions.rules.ts"
import type { Refusal } from "../refusals/refusal.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import { isScope } from "./scope-token.rules.ts"

/** Client libraries send these by default. They are ignored unless the catalog defines them. Divergence: D-10. */
const IGNORED_NAMES: ReadonlySet<string> = new Set([
  "openid",
  "profile",
  "email",
  "address",
  "phone",
  "offline_access",
])

/** Returns the names without duplicates, or null if the parameter is omitted or empty. Refuses: scopeMalformed. */
export function parseScope(text: string | undefined): Result<readonly string[] | null, Refusal> {
  if (text === undefined || text === "") return ok(null)
  if (!isScope(text)) return err({ reason: "scopeMalformed" })
  return ok([...new Set(text.split(" "))])
}

/**
 * Returns the permissions that a request asks for, with everything that they imply. An omitted scope asks for the
 * registered ceiling without its admin permissions. One invalid name refuses the whole request. Refuses: scopeUnknown,
 * scopeOverCeiling, scopeEmpty.
 */
export function requestedPermissions(
  catalog: Catalog,
  requested: readonly string[] | null,
  ceiling: readonly Permission[],
): Result<readonly Permission[], Refusal> {
  const allowed = closureSet(catalog, ceiling)
  const named = withoutIgnoredNames(catalog, requested, allowed)
  if (named === null) return omitted(catalog, ceiling)
  const names = within(catalog, named, allowed, { reason: "scopeOverCeiling" })
  return names.ok ? ok(closure(catalog, names.value)) : names
}

/**
 * Returns the scope of a narrowed access token. Returns null if the refresh does not narrow the scope. Implied
 * permissions outside the reach are left out, because implications can change after the consent. Refuses: scopeUnknown,
 * scopeOverReach.
 */
export function narrow(
  catalog: Catalog,
  requested: readonly string[] | null,
  reach: readonly Permission[],
): Result<readonly Permission[] | null, Refusal> {
  if (requested === null) return ok(null)
  const reached = new Set(reach)
  const named = withoutIgnoredNames(catalog, requested, reached)
  if (named === null) return ok(null)
  const names = within(catalog, named, reached, { reason: "scopeOverReach" })
  if (!names.ok) return names
  const narrowed = [...closureSet(catalog, names.value)].filter((name) => reached.has(name))
  return ok(sorted(catalog, narrowed))
}

/**
 * Removes ignored names, and permissions of OpenID Connect outside the limit. Returns null if no name remains, which
 * counts as an omitted scope.
 */
export function withoutIgnoredNames(
  catalog: Catalog,
  requested: readonly string[] | null,
  limit: ReadonlySet<string>,
): readonly string[] | null {
  if (requested === null) return null
  const named = requested.filter((name) =>
    isOpenidPermission(catalog, name) ? limit.has(name) : !IGNORED_NAMES.has(name) || isKnown(catalog, name),
  )
  return named.length === 0 ? null : named
}

function omitted(catalog: Catalog, ceiling: readonly Permission[]): Result<readonly Permission[], Refusal> {
  const unnamed = ceiling.filter((name) => !isAdmin(name))
  const permissions = closure(catalog, unnamed).filter((name) => !isAdmin(name))
  return permissions.length === 0 ? err({ reason: "scopeEmpty" }) : ok(permissions)
}

function within(
  catalog: Catalog,
  named: readonly string[],
  limit: ReadonlySet<string>,
  over: Refusal,
): Result<readonly Permission[], Refusal> {
  const names: Permission[] = []
  for (const name of named) {
    if (!isKnown(catalog, name)) return err({ reason: "scopeUnknown" })
    if (!limit.has(name)) return err(over)
    names.push(name)
  }
  return ok(names)
}

function isKnown(catalog: Catalog, name: string): name is Permission {
  return catalog.has(name as Permission)
}

/** Splits a list of names at spaces. Allows repeated spaces. */
export function namesOf(scope: string): readonly string[] {
  return scope.split(" ").filter((name) => name !== "")
}
