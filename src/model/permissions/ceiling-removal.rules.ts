/** Refuses to remove a permission that the remaining permissions still imply. Interface CLIENT-9. */
import type { Permission } from "../../kernel/ids.ts"
import { impliersOf, sorted } from "./permission.rules.ts"
import type { Catalog } from "./permission-catalog.rules.ts"

/** Returns one line for each removed name that the new ceiling still implies. Returns null if there is no such name. */
export function removalProblem(
  catalog: Catalog,
  before: readonly string[],
  after: readonly string[],
): string | null {
  const removed = before.filter((name) => !after.includes(name)) as Permission[]
  const problems = sorted(catalog, removed).flatMap((name) => {
    const impliers = impliersOf(catalog, name, after as readonly Permission[])
    return impliers.length === 0 ? [] : [impliedProblem(name, impliers)]
  })
  return problems.length === 0 ? null : problems.join("\n")
}

function impliedProblem(name: string, impliers: readonly string[]): string {
  const names = impliers.join(" and ")
  const stay = impliers.length === 1 ? "implies it and stays registered" : "imply it and stay registered"
  return `${name} cannot be removed: ${names} ${stay}. Remove ${names} as well, or keep ${name}.`
}
