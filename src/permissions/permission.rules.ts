/** What a set of permissions comes to. Interface PERM. */
import type { Permission } from "../kernel/ids.ts"
import type { Catalogue } from "./permission-catalogue.rules.ts"

/** An admin permission is known by its name, and never granted unless it was named. */
export function isAdmin(name: string): boolean {
  return name.startsWith("admin:")
}

/**
 * The names and everything that they imply, each once, in the catalogue's order. A name that is no longer in the
 * catalogue is left out: a permission that does not exist reaches nothing.
 */
export function closure(catalogue: Catalogue, names: Iterable<Permission>): Permission[] {
  return sorted(catalogue, closureSet(catalogue, names))
}

/** The closure of a list that stays the same, such as a registered ceiling: worked out once for each. */
export function lastingClosure(catalogue: Catalogue, names: readonly Permission[]): ReadonlySet<Permission> {
  let ofCatalogue = lasting.get(catalogue)
  if (ofCatalogue === undefined) lasting.set(catalogue, (ofCatalogue = new WeakMap()))
  let closed = ofCatalogue.get(names)
  if (closed === undefined) ofCatalogue.set(names, (closed = closureSet(catalogue, names)))
  return closed
}

const lasting = new WeakMap<Catalogue, WeakMap<readonly Permission[], ReadonlySet<Permission>>>()

/** The closure without an order, for look-ups. */
export function closureSet(catalogue: Catalogue, names: Iterable<Permission>): ReadonlySet<Permission> {
  const reached = new Set<Permission>()
  for (const name of names) {
    const entry = catalogue.get(name)
    if (entry === undefined) continue
    for (const implied of entry.closure) reached.add(implied)
  }
  return reached
}

/** Known permissions in the catalogue's order. */
export function sorted(catalogue: Catalogue, names: Iterable<Permission>): Permission[] {
  const place = (name: Permission) => catalogue.get(name)?.place ?? Infinity
  const list = [...names]
  // A consent is stored in this order: it differs only if the catalogue was reordered since.
  const isSorted = list.every((name, at) => at === 0 || place(list[at - 1] as Permission) <= place(name))
  return isSorted ? list : list.sort((a, b) => place(a) - place(b))
}

/** Whether the closure of `names` holds a permission of the hub-administration family. */
export function reachesHubAdministration(catalogue: Catalogue, names: Iterable<Permission>): boolean {
  for (const name of closureSet(catalogue, names)) {
    if (catalogue.get(name)?.hubAdministration === true) return true
  }
  return false
}

/** Those of `names` that imply `permission`, itself left out; in the catalogue's order. */
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
