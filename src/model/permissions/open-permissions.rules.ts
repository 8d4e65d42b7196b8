/** What self-registered apps may use: the setting `registration.permissions`. Interface REG-2, REG-3. */
import type { Permission } from "../../kernel/ids.ts"
import { builtInPermissions } from "./built-in-permissions.rules.ts"
import { isOpenidPermission } from "./openid-permissions.rules.ts"
import { closure, isAdmin, sorted } from "./permission.rules.ts"
import type { Catalog, CatalogEntry } from "./permission-catalog.rules.ts"

/** The names in `registration.permissions`. Null stands for every ordinary permission of the catalog. */
export type OpenPermissions = readonly string[] | null

/** The only built-in permission that self-registered apps may use by default. It lets an app read who consented. */
const OPEN_BUILT_IN = "account:read"

/** Returns `OPEN_BUILT_IN`, and the operator's ordinary permissions that imply no other built-in permission. Those of OpenID Connect are not the operator's. */
export function defaultOpenPermissions(catalog: Catalog): readonly Permission[] {
  return [...catalog.values()]
    .filter((entry) => isOpenByDefault(entry) && !isOpenidPermission(catalog, entry.name))
    .map(({ name }) => name)
}

function isOpenByDefault({ name, closure: reached }: CatalogEntry): boolean {
  return !isAdmin(name) && reached.every((other) => other === OPEN_BUILT_IN || !isBuiltIn(other))
}

function isBuiltIn(name: string): boolean {
  return Object.hasOwn(builtInPermissions, name)
}

/** Returns the permissions that a self-registered app may name in its ceiling, without admin permissions. */
export function openCeiling(catalog: Catalog, open: OpenPermissions): readonly Permission[] {
  const names = (open ?? [...catalog.keys()]) as readonly Permission[]
  return sorted(
    catalog,
    names.filter((name) => catalog.has(name) && !isAdmin(name)),
  )
}

/** Returns the open permissions with everything that they imply. The metadata lists them as scopes. */
export function openPermissions(catalog: Catalog, open: OpenPermissions): readonly Permission[] {
  return closure(catalog, openCeiling(catalog, open))
}
