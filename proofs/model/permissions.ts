/** The permissions in the model: docs/interface.md PERM-1…PERM-7 and "Permissions". */

/** The permissions in the catalog's order, each with those that it directly implies. */
const CATALOG: Readonly<Record<string, readonly string[]>> = {
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
  "notes:read": [],
  "notes:write": ["notes:read"],
  "admin:crew": [],
  openid: [],
  profile: [],
  email: [],
  groups: [],
}

/** The permissions of OpenID Connect. Where they cannot be had they are ignored. OIDC-1. */
const OF_OPENID: readonly string[] = ["openid", "profile", "email", "groups"]

const HUB_ADMINISTRATION: readonly string[] = ["admin:accounts", "admin:settings", "admin:crew"]

/** The permissions that are for groups. GROUP-1. */
const FOR_GROUPS: Readonly<Record<string, readonly string[]>> = {
  "notes:read": ["crew", "ops"],
  "notes:write": ["crew"],
  "admin:crew": ["crew"],
}

/** The part of an account that limits what it may grant and hold. */
export type Standing = { readonly isAdmin: boolean; readonly groups: readonly string[] }

/** Other names that OpenID clients send by default. */
const HABIT: readonly string[] = ["address", "phone", "offline_access"]

/** Matches names with single spaces between them. RFC 6749 §3.3. */
const SCOPE = /^[!#-[\]-~]+( [!#-[\]-~]+)*$/

const isKnown = (name: string): boolean => Object.hasOwn(CATALOG, name)
export const isAdmin = (name: string): boolean => name.startsWith("admin:")

export function isHubAdministration(names: readonly string[]): boolean {
  return names.some((name) => HUB_ADMINISTRATION.includes(name))
}

/** Returns the names and everything that they imply, in the catalog's order. */
export function closed(names: readonly string[]): readonly string[] {
  const all = new Set<string>()
  const add = (name: string): void => {
    if (all.has(name)) return
    all.add(name)
    for (const brought of CATALOG[name] ?? []) add(brought)
  }
  for (const name of names) add(name)
  return Object.keys(CATALOG).filter((name) => all.has(name))
}

export function both(some: readonly string[], others: readonly string[]): readonly string[] {
  return some.filter((name) => others.includes(name))
}

/** Returns the names in `scope`. Returns null if it contains none, which counts as a missing scope. */
function named(scope: string | null, most: readonly string[]): readonly string[] | null {
  const isIgnored = (name: string) =>
    HABIT.includes(name) || (OF_OPENID.includes(name) && !most.includes(name))
  const names = (scope ?? "").split(" ").filter((name) => name !== "" && !isIgnored(name))
  return names.length === 0 ? null : names
}

/** Returns what a request asks for. Null stands for `invalid_scope`. */
export function askedFor(scope: string | null, ceiling: readonly string[]): readonly string[] | null {
  const most = closed(ceiling)
  const names = named(scope, most) ?? most.filter((name) => !isAdmin(name))
  if (names.length === 0 || !names.every((name) => isKnown(name) && most.includes(name))) return null
  return closed(names)
}

/**
 * Returns the scope to which a refresh narrows. "all" means that it does not narrow, and null stands for
 * `invalid_scope`.
 */
export function narrowedTo(scope: string | null, reach: readonly string[]): readonly string[] | "all" | null {
  if (scope !== null && scope !== "" && !SCOPE.test(scope)) return null
  const names = named(scope, reach)
  if (names === null) return "all"
  if (!names.every((name) => isKnown(name) && reach.includes(name))) return null
  return closed(names)
}

/** Whether an app that is for these groups is for the account. GROUP-2. */
export function isFor(groups: readonly string[], account: Standing): boolean {
  return groups.length === 0 || both(groups, account.groups).length > 0
}

/** Returns what the groups let an account hold: nothing of an app that is for others. */
export function withinGroups(
  names: readonly string[],
  account: Standing,
  ofApp: readonly string[],
): readonly string[] {
  return isFor(ofApp, account) ? names.filter((name) => isFor(FOR_GROUPS[name] ?? [], account)) : []
}

/** Returns what an account can grant. Only an administrator can grant administration. */
export function withinAccount(
  names: readonly string[],
  account: Standing,
  ofApp: readonly string[],
): readonly string[] {
  return withinGroups(names, account, ofApp).filter((name) => account.isAdmin || !isAdmin(name))
}

/** Computes the reach again at every request. PERM-5. */
export function reachOf(
  consent: readonly string[],
  { ceiling, groups }: { readonly ceiling: readonly string[]; readonly groups: readonly string[] },
  account: Standing,
): readonly string[] {
  return withinAccount(both(consent, closed(ceiling)), account, groups)
}
