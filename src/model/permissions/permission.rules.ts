/** Closures, order and kinds of permissions. Interface PERM. */
import type { Permission } from "../../kernel/ids.ts"
import type { Catalog } from "./permission-catalog.rules.ts"

/** Whether the name marks an admin permission. An admin permission is granted only if a request names it. */
export function isAdmin(name: string): boolean {
  return name.startsWith("admin:")
}

/** With everything implied, in the catalog's order. Names no longer in the catalog reach nothing and are left out. */
export function closure(catalog: Catalog, names: Iterable<Permission>): Permission[] {
  return sorted(catalog, closureSet(catalog, names))
}

/** Returns the closure of a list that does not change, such as a registered ceiling. The closure is cached. */
export function lastingClosure(catalog: Catalog, names: readonly Permission[]): ReadonlySet<Permission> {
  let ofCatalog = lasting.get(catalog)
  if (ofCatalog === undefined) lasting.set(catalog, (ofCatalog = new WeakMap()))
  let closed = ofCatalog.get(names)
  if (closed === undefined) ofCatalog.set(names, (closed = closureSet(catalog, names)))
  return closed
}

const lasting = new WeakMap<Catalog, WeakMap<readonly Permission[], ReadonlySet<Permission>>>()

/** Returns the closure as an unordered set. */
export function closureSet(catalog: Catalog, names: Iterable<Permission>): ReadonlySet<Permission> {
  const reached = new Set<Permission>()
  for (const name of names) {
    const entry = catalog.get(name)
    if (entry === undefined) continue
    for (const implied of entry.closure) reached.add(implied)
  }
  return reached
}

export function sorted(catalog: Catalog, names: Iterable<Permission>): Permission[] {
  const place = (name: Permission) => catalog.get(name)?.place ?? Infinity
  const list = [...names]
  // A stored consent is already sorted, unless the catalog has been reordered since then.
  const isSorted = list.every((name, at) => at === 0 || place(list[at - 1] as Permission) <= place(name))
  return isSorted ? list : list.sort((a, b) => place(a) - place(b))
}

export function reachesHubAdministration(catalog: Catalog, names: Iterable<Permission>): boolean {
  for (const name of closureSet(catalog, names)) {
    if (catalog.get(name)?.hubAdministration === true) return true
  }
  return false
}

/** Returns which other permissions in `names` imply `permission`, in the catalog's order. */
export function impliersOf(
  catalog: Catalog,
  permission: Permission,
  names: readonly Permission[],
): readonly Permission[] {
  const impliers = names.filter(
    (name) => name !== permission && catalog.get(name)?.closure.includes(permission) === true,
  )
  return sorted(catalog, new Set(impliers))
}
