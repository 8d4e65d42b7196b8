/** Closures, order and kinds of permissions. Interface PERM. */
import type { Permission } from "../kernel/ids.ts"
import type { Catalogue } from "./permission-catalogue.rules.ts"

/** Whether the name marks an admin permission. An admin permission is granted only if a request names it. */
export function isAdmin(name: string): boolean {
  return name.startsWith("admin:")
}

/**
 * Returns the names and everything that they imply, in the catalogue's order. Names that are no longer in the catalogue
 * are left out, because they reach nothing.
 */
export function closure(catalogue: Catalogue, names: Iterable<Permission>): Permission[] {
  return sorted(catalogue, closureSet(catalogue, names))
}

/** Returns the closure of a list that does not change, such as a registered ceiling. The closure is cached. */
export function lastingClosure(catalogue: Catalogue, names: readonly Permission[]): ReadonlySet<Permission> {
  let ofCatalogue = lasting.get(catalogue)
  if (ofCatalogue === undefined) lasting.set(catalogue, (ofCatalogue = new WeakMap()))
  let closed = ofCatalogue.get(names)
  if (closed === undefined) ofCatalogue.set(names, (closed = closureSet(catalogue, names)))
  return closed
}

const lasting = new WeakMap<Catalogue, WeakMap<readonly Permission[], ReadonlySet<Permission>>>()

/** Returns the closure as an unordered set. */
export function closureSet(catalogue: Catalogue, names: Iterable<Permission>): ReadonlySet<Permission> {
  const reached = new Set<Permission>()
  for (const name of names) {
    const entry = catalogue.get(name)
    if (entry === undefined) continue
    for (const implied of entry.closure) reached.add(implied)
  }
  return reached
}

/** Sorts permissions in the catalogue's order. */
export function sorted(catalogue: Catalogue, names: Iterable<Permission>): Permission[] {
  const place = (name: Permission) => catalogue.get(name)?.place ?? Infinity
  const list = [...names]
  // A stored consent is already sorted, unless the catalogue has been reordered since then.
  const isSorted = list.every((name, at) => at === 0 || place(list[at - 1] as Permission) <= place(name))
  return isSorted ? list : list.sort((a, b) => place(a) - place(b))
}

/** Whether `names` imply a permission for hub administration. */
export function reachesHubAdministration(catalogue: Catalogue, names: Iterable<Permission>): boolean {
  for (const name of closureSet(catalogue, names)) {
    if (catalogue.get(name)?.hubAdministration === true) return true
  }
  return false
}

/** Returns which other permissions in `names` imply `permission`, in the catalogue's order. */
export function impliersOf(
  catalogue: Catalogue,
  permission: Permission,
  names: readonly Permission[],
): readonly Permission[] {
  const impliers = names.filter(
    (name) => name !== permission && catalogue.get(name)?.closure.includes(permission) === true,
  )
  return sorted(catalogue, new Set(impliers))
}
