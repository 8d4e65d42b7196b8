/** What a set of permissions comes to. Interface PERM. */
import type { Permission } from "./brand.ts"
import type { Catalogue } from "./permission-catalogue.ts"

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
  return [...names].sort((a, b) => place(a) - place(b))
}

/** Whether the closure of `names` holds a permission of the hub-administration family. */
export function reachesHubAdministration(catalogue: Catalogue, names: Iterable<Permission>): boolean {
  for (const name of closureSet(catalogue, names)) {
    if (catalogue.get(name)?.hubAdministration === true) return true
  }
  return false
}
