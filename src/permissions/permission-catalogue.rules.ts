/**
 * The catalogue of permissions: the service's own, and what an operator's configuration adds. Interface PERM;
 * RFC 6749 §3.3 and appendix A.4.
 */
import type { Permission } from "../kernel/ids.ts"
import { builtInPermissions } from "./built-in-permissions.rules.ts"
import { PERMISSION_NAME_LENGTH_AT_MOST } from "../kernel/limits.ts"
import { isAdmin } from "./permission.rules.ts"
import { isScopeToken } from "./scope-token.rules.ts"
import { type Result, err, ok } from "../kernel/result.ts"

export type CatalogueEntry = {
  readonly name: Permission
  readonly title: string
  readonly description: string
  /** Named directly; `closure` holds what follows from these. */
  readonly implies: readonly Permission[]
  readonly hubAdministration: boolean
  /** The heading under which the consent page shows it. */
  readonly group: string
  /** Its place in the catalogue; every list of permissions is sorted by it. */
  readonly place: number
  /** Itself and everything that it implies, in the catalogue's order; worked out once. */
  readonly closure: readonly Permission[]
}

/** In its own order: the built-in permissions first, then the configured ones as they were written. */
export type Catalogue = ReadonlyMap<Permission, CatalogueEntry>

/** A permission as the configuration file writes it. */
export type PermissionDefinition = {
  readonly title: string
  readonly description?: string | undefined
  readonly implies?: readonly string[] | undefined
  readonly hub_administration?: boolean | undefined
  readonly group?: string | undefined
}

export type CatalogueProblem = { readonly permission: string; readonly problem: string }

type Definition = readonly [name: string, definition: PermissionDefinition]

/**
 * The built-in catalogue and `extension` after it. Answers every problem at once, for the operator to read.
 *
 * Permissions may imply each other in a circle. The hub-administration family holds admin permissions only: it exists
 * to have administration confirmed twice, and the second click would mean nothing on a permission given by omission.
 */
export function loadCatalogue(
  extension: Readonly<Record<string, PermissionDefinition>>,
): Result<Catalogue, readonly CatalogueProblem[]> {
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
  if (definition.title.trim() === "") problems.push("The title is empty.")
  if (definition.hub_administration === true && !isAdmin(name)) {
    problems.push("Only a permission whose name begins with admin: can be hub administration.")
  }
  for (const implied of definition.implies ?? []) {
    if (!known.has(implied)) problems.push(`It implies ${implied}, which is not defined.`)
    // One step is enough to look at: a longer way from a non-admin permission to an admin one crosses here somewhere.
    else if (isAdmin(implied) && !isAdmin(name)) {
      problems.push(`It implies ${implied}, but only an admin: permission may imply an admin: permission.`)
    }
  }
  return problems
}

/** What neither has a group of its own nor is administration. */
export const OTHER_GROUP = "Other"

function build(definitions: readonly Definition[]): Catalogue {
  const implications = new Map(definitions.map(([name, { implies }]) => [name, implies ?? []]))
  const names = definitions.map(([name]) => name as Permission)
  const entries = definitions.map(([name, definition], place): CatalogueEntry => {
    const reached = reachedFrom(name, implications)
    return {
      name: name as Permission,
      title: definition.title,
      description: definition.description ?? "",
      implies: (definition.implies ?? []) as readonly Permission[],
      hubAdministration: definition.hub_administration ?? false,
      group: definition.group ?? (isAdmin(name) ? "Administration" : OTHER_GROUP),
      place,
      closure: names.filter((other) => reached.has(other)),
    }
  })
  return new Map(entries.map((entry) => [entry.name, entry]))
}

function reachedFrom(name: string, implications: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set([name])
  // A set is walked in the order of insertion, newcomers included: this visits each reached name once.
  for (const at of reached) for (const implied of implications.get(at) ?? []) reached.add(implied)
  return reached
}
