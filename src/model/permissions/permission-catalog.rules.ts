/** Built-in permissions and those of the configuration. Interface PERM; RFC 6749 §3.3 and appendix A.4. */
import type { Permission } from "../../kernel/ids.ts"
import { builtInPermissions } from "./built-in-permissions.rules.ts"
import { PERMISSION_NAME_LENGTH_AT_MOST } from "../../kernel/limits.ts"
import { GROUP_NAME_FORM, isGroupName } from "./group.rules.ts"
import { isAdmin } from "./permission.rules.ts"
import { isScopeToken } from "./scope-token.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"

/** A text, or a text for each of some languages by their tags. LANG-9 */
export type LocalText = string | ReadonlyMap<string, string>

export type CatalogEntry = {
  readonly name: Permission
  readonly title: LocalText
  readonly description: LocalText
  /** The permissions that this permission implies directly. `closure` also has those that it implies indirectly. */
  readonly implies: readonly Permission[]
  readonly hubAdministration: boolean
  /** The heading of the permission's group on the consent page. */
  readonly group: LocalText
  /** If the permission is for groups, their names. Only accounts in one of them hold it. Empty for all others. */
  readonly forGroups: readonly string[]
  /** The position in the catalog, which sorts every list of permissions. */
  readonly place: number
  /** This permission and everything that it implies, in the catalog's order. The list is computed in advance. */
  readonly closure: readonly Permission[]
}

/** The catalog lists the built-in permissions first, and then the configured ones in the order of the file. */
export type Catalog = ReadonlyMap<Permission, CatalogEntry>

export type PermissionDefinition = {
  readonly title: LocalText
  readonly description?: LocalText | undefined
  readonly implies?: readonly string[] | undefined
  readonly hub_administration?: boolean | undefined
  readonly group?: LocalText | undefined
  readonly for_groups?: readonly string[] | undefined
}

export type CatalogProblem = { readonly permission: string; readonly problem: string }

type Definition = readonly [name: string, definition: PermissionDefinition]

/**
 * Builds the catalog from the built-in permissions and `extension`. Returns all problems together.
 *
 * Permissions may imply each other in a circle. Only admin permissions can be hub administration, which needs two
 * confirmations. An omitted `scope` includes every other permission, so a second confirmation of those would be
 * useless.
 */
export function loadCatalog(
  extension: Readonly<Record<string, PermissionDefinition>>,
): Result<Catalog, readonly CatalogProblem[]> {
  const builtIn = Object.entries<PermissionDefinition>(builtInPermissions)
  const added = Object.entries(extension)
  const taken = new Set(builtIn.map(([name]) => name))
  const known = new Set([...taken, ...added.map(([name]) => name)])
  const problems = added.flatMap(([permission, definition]) =>
    problemsOf(permission, definition, taken, known).map((problem) => ({ permission, problem })),
  )
  return problems.length > 0 ? err(problems) : ok(build([...builtIn, ...added]))
}

function problemsOf(
  name: string,
  definition: PermissionDefinition,
  taken: ReadonlySet<string>,
  known: ReadonlySet<string>,
): string[] {
  const problems: string[] = []
  if (taken.has(name)) problems.push("This name is built in and cannot be defined again.")
  if (!isScopeToken(name)) {
    problems.push('A name has printable ASCII characters only, without spaces, " and \\.')
  }
  if (name.length > PERMISSION_NAME_LENGTH_AT_MOST) {
    problems.push(`A name has at most ${PERMISSION_NAME_LENGTH_AT_MOST} characters.`)
  }
  if (isEmpty(definition.title)) problems.push("The title is empty.")
  if (definition.hub_administration === true && !isAdmin(name)) {
    problems.push("Only a permission whose name begins with admin: can be hub administration.")
  }
  for (const group of definition.for_groups ?? []) {
    if (!isGroupName(group))
      problems.push(`It is for the group ${group}. A name of a group has ${GROUP_NAME_FORM}.`)
  }
  for (const implied of definition.implies ?? []) {
    if (!known.has(implied)) problems.push(`It implies ${implied}, which is not defined.`)
    // Only direct implications need a check. Every path from an ordinary to an admin permission contains a direct step
    // between the two kinds.
    else if (isAdmin(implied) && !isAdmin(name)) {
      problems.push(`It implies ${implied}, but only an admin: permission may imply an admin: permission.`)
    }
  }
  return problems
}

function isEmpty(text: LocalText): boolean {
  const all = typeof text === "string" ? [text] : [...text.values()]
  return all.length === 0 || all.some((one) => one.trim() === "")
}

/** The group of admin permissions that name no group. */
export const ADMINISTRATION_GROUP = "Administration"

/** The group of ordinary permissions that name no group. */
export const OTHER_GROUP = "Other"

function build(definitions: readonly Definition[]): Catalog {
  const implications = new Map(definitions.map(([name, { implies }]) => [name, implies ?? []]))
  const names = definitions.map(([name]) => name as Permission)
  const entries = definitions.map(([name, definition], place): CatalogEntry => {
    const reached = reachedFrom(name, implications)
    return {
      name: name as Permission,
      title: definition.title,
      description: definition.description ?? "",
      implies: (definition.implies ?? []) as readonly Permission[],
      hubAdministration: definition.hub_administration ?? false,
      group: definition.group ?? (isAdmin(name) ? ADMINISTRATION_GROUP : OTHER_GROUP),
      forGroups: definition.for_groups ?? [],
      place,
      closure: names.filter((other) => reached.has(other)),
    }
  })
  return new Map(entries.map((entry) => [entry.name, entry]))
}

function reachedFrom(name: string, implications: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set([name])
  // A loop over a Set also visits names that the loop itself adds.
  for (const at of reached) for (const implied of implications.get(at) ?? []) reached.add(implied)
  return reached
}
