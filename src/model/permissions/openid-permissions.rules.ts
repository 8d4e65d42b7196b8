/**
 * The permissions of OpenID Connect, which the catalog has while `openid.enabled` is on. OpenID Connect Core §5.4;
 * interface OIDC-1.
 */
import type { Permission } from "../../kernel/ids.ts"
import type { Problem } from "../../kernel/result.ts"
import { didYouMean } from "../../kernel/suggest.ts"
import { builtInPermissions } from "./built-in-permissions.rules.ts"
import type { Catalog, CatalogEntry, PermissionDefinition } from "./permission-catalog.rules.ts"

const { group } = builtInPermissions["account:read"]

export const openidPermissions = {
  openid: {
    group,
    title: "Know that it is you",
    description: "A number that stands for your account and stays the same, and when you signed in.",
  },
  profile: { group, title: "See your user name", description: "The name that your account has here." },
  email: {
    group,
    title: "See your e-mail address",
    description: "The confirmed address of your account. Without one, it sees none.",
  },
  groups: {
    group,
    title: "See your groups",
    description: "The names of the groups that your account is in.",
  },
} as const satisfies Record<string, PermissionDefinition>

export const OPENID = "openid" as Permission

const withOpenid = new WeakMap<Catalog, Catalog>()
/** The catalogs with these permissions, each with the one without. */
const ours = new WeakMap<Catalog, Catalog>()

/** Returns the catalog with these permissions at its end. Null if the configuration file defines one of them. */
export function openidCatalog(catalog: Catalog): Catalog | null {
  if (ours.has(catalog)) return catalog
  const known = withOpenid.get(catalog)
  if (known !== undefined) return known
  if (Object.keys(openidPermissions).some((name) => catalog.has(name as Permission))) return null
  const entries = Object.entries<PermissionDefinition>(openidPermissions).map(([name, definition], at) => {
    const entry: CatalogEntry = {
      name: name as Permission,
      title: definition.title,
      description: definition.description ?? "",
      implies: [],
      hubAdministration: false,
      group: definition.group ?? group,
      forGroups: [],
      place: catalog.size + at,
      closure: [name as Permission],
    }
    return [entry.name, entry] as const
  })
  const whole: Catalog = new Map([...catalog, ...entries])
  withOpenid.set(catalog, whole)
  ours.set(whole, catalog)
  return whole
}

/** Returns the catalog without these permissions. */
export function plainCatalog(catalog: Catalog): Catalog {
  return ours.get(catalog) ?? catalog
}

/** Whether a name is one of these permissions, and not one of the configuration file. */
export function isOpenidPermission(catalog: Catalog, name: string): boolean {
  return ours.has(catalog) && isOpenidName(name)
}

export const isOpenidName = (name: string) => Object.hasOwn(openidPermissions, name)

/** The problem of a name that the catalog lacks. */
export function unknownPermission(catalog: Catalog, name: string): Problem {
  const hint = isOpenidName(name)
    ? " It is there while openid.enabled is on."
    : didYouMean(name, catalog.keys())
  return `There is no permission ${JSON.stringify(name)}.${hint}`
}
