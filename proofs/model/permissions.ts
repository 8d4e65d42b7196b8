/** Permissions as the model knows them: docs/interface.md PERM-1…PERM-7 and "Permissions". */

/** In the order of the catalogue; to each what it brings along at once. */
const CATALOGUE: Readonly<Record<string, readonly string[]>> = {
  "account:read": [],
  "account:write": ["account:read"],
  "credentials:read": [],
  "credentials:write": ["credentials:read"],
  "apps:read": [],
  "apps:write": ["apps:read"],
  "admin:accounts": [],
  "admin:apps": [],
  "admin:credentials": [],
  "admin:settings": [],
  "admin:events": [],
  "workers:read": [],
  "files:read": ["workers:read"],
  "files:write": ["files:read"],
}

const HUB_ADMINISTRATION: readonly string[] = ["admin:accounts", "admin:settings"]

/** Names that OpenID clients send out of habit. */
const HABIT: readonly string[] = ["openid", "profile", "email", "address", "phone", "offline_access"]

/** RFC 6749 §3.3: tokens with single spaces between them. */
const SCOPE = /^[!#-[\]-~]+( [!#-[\]-~]+)*$/

const isKnown = (name: string): boolean => Object.hasOwn(CATALOGUE, name)
export const isAdmin = (name: string): boolean => name.startsWith("admin:")

export function isHubAdministration(names: readonly string[]): boolean {
  return names.some((name) => HUB_ADMINISTRATION.includes(name))
}

/** Everything that the names come to, in the catalogue's order. */
export function closed(names: readonly string[]): readonly string[] {
  const all = new Set<string>()
  const add = (name: string): void => {
    if (all.has(name)) return
    all.add(name)
    for (const brought of CATALOGUE[name] ?? []) add(brought)
  }
  for (const name of names) add(name)
  return Object.keys(CATALOGUE).filter((name) => all.has(name))
}

export function both(some: readonly string[], others: readonly string[]): readonly string[] {
  return some.filter((name) => others.includes(name))
}

/** What `scope` names; null where it names nothing, which is as if it were absent. */
function named(scope: string | null): readonly string[] | null {
  const names = (scope ?? "").split(" ").filter((name) => name !== "" && !HABIT.includes(name))
  return names.length === 0 ? null : names
}

/** What a request asks for; null is `invalid_scope`. */
export function askedFor(scope: string | null, ceiling: readonly string[]): readonly string[] | null {
  const most = closed(ceiling)
  const names = named(scope) ?? most.filter((name) => !isAdmin(name))
  if (names.length === 0 || !names.every((name) => isKnown(name) && most.includes(name))) return null
  return closed(names)
}

/** What a refresh narrows to: "all" where it does not narrow, null for `invalid_scope`. */
export function narrowedTo(scope: string | null, reach: readonly string[]): readonly string[] | "all" | null {
  if (scope !== null && scope !== "" && !SCOPE.test(scope)) return null
  const names = named(scope)
  if (names === null) return "all"
  if (!names.every((name) => isKnown(name) && reach.includes(name))) return null
  return closed(names)
}

/** What an account can give: administration takes an administrator. */
export function withinAccount(names: readonly string[], isAdministrator: boolean): readonly string[] {
  return isAdministrator ? names : names.filter((name) => !isAdmin(name))
}

/** PERM-5: computed again at every request. */
export function reachOf(
  consent: readonly string[],
  ceiling: readonly string[],
  isAdministrator: boolean,
): readonly string[] {
  return withinAccount(both(consent, closed(ceiling)), isAdministrator)
}
