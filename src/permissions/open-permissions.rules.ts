/** What apps that register themselves may ask for: the setting `registration.permissions`. Interface REG-2, REG-3. */
import type { Permission } from "../kernel/ids.ts"
import { builtInPermissions } from "./built-in-permissions.rules.ts"
import { closure, isAdmin, sorted } from "./permission.rules.ts"
import type { Catalogue, CatalogueEntry } from "./permission-catalogue.rules.ts"

/** The names of `registration.permissions`; null for every ordinary permission of the catalogue. */
export type OpenPermissions = readonly string[] | null

/** Of the service's own permissions, what a stranger's app may have by default: it knows who let it in. */
const OPEN_BUILT_IN = "account:read"

/** The names where the setting is not set: the operator's own, and nothing that changes an account or its apps. */
export function defaultOpenPermissions(catalogue: Catalogue): readonly Permission[] {
  return [...catalogue.values()].filter(isOpenByDefault).map(({ name }) => name)
}

function isOpenByDefault({ name, closure: reached }: CatalogueEntry): boolean {
  return !isAdmin(name) && reached.every((other) => other === OPEN_BUILT_IN || !isBuiltIn(other))
}

function isBuiltIn(name: string): boolean {
  return Object.hasOwn(builtInPermissions, name)
}

/** What a self-registered app may have in its ceiling, as it was named; never an admin permission. */
export function openCeiling(catalogue: Catalogue, open: OpenPermissions): readonly Permission[] {
  const names = (open ?? [...catalogue.keys()]) as readonly Permission[]
  return sorted(
    catalogue,
    names.filter((name) => catalogue.has(name) && !isAdmin(name)),
  )
}

/** What the metadata offers while registration is open: all that an app can get by registering itself. */
export function openPermissions(catalogue: Catalogue, open: OpenPermissions): readonly Permission[] {
  return closure(catalogue, openCeiling(catalogue, open))
}
