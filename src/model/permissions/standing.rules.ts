/** What an account may hold and connect, whatever it consented to. Interface PERM-7, GROUP. */
import type { Permission } from "../../kernel/ids.ts"
import { isAdmin } from "./permission.rules.ts"
import type { Catalog } from "./permission-catalog.rules.ts"

/** The part of an account that limits every reach of its credentials. */
export type Standing = { readonly admin: boolean; readonly groups: readonly string[] }

/** The part of an app that says what it reaches, and for whom. An empty list of groups is for every account. */
export type Bounds = { readonly ceiling: readonly Permission[]; readonly groups: readonly string[] }

/** Whether an account in such groups may use what is for `groups`. */
export function admits(groups: readonly string[], standing: Pick<Standing, "groups">): boolean {
  return groups.length === 0 || groups.some((group) => standing.groups.includes(group))
}

/** Whether the permission's groups let the account hold it. */
export function isGivenByGroups(catalog: Catalog, permission: Permission, standing: Standing): boolean {
  return admits(catalog.get(permission)?.forGroups ?? [], standing)
}

export function mayHold(catalog: Catalog, permission: Permission, standing: Standing): boolean {
  return (standing.admin || !isAdmin(permission)) && isGivenByGroups(catalog, permission, standing)
}
