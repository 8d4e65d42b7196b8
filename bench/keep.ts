/**
 * Fills the gaps in the results of a run with results from an earlier run. These are whole parts and sizes of growth.
 * Each kept result has its own stamp.
 */
import type { Results } from "./results.ts"
import type { Stamp } from "./stamp.ts"

/** The names of the parts in `earlier`. */
export const partNames = {
  embedded: "throughput",
  depth: "group commit",
  growth: "growth",
  postgres: "PostgreSQL",
} as const

export function keep(made: Results, before: Results): Results {
  const earlier: Record<string, Stamp | string> = {}
  const { at, build } = before
  const stamp: Stamp = { at, ...(build !== undefined && { build }) }
  const of = <T extends keyof typeof partNames>(part: T): Results[T] => {
    if (made[part] !== null || before[part] === null) return made[part]
    earlier[partNames[part]] = before.earlier?.[partNames[part]] ?? stamp
    return before[part]
  }
  const parts = {
    embedded: of("embedded"),
    depth: of("depth"),
    growth: of("growth"),
    postgres: of("postgres"),
  }
  if (made.growth === null || before.growth === null) return { ...made, ...parts, earlier }
  // The ratio to the smallest size comes from one run, so it stays correct.
  const sizes = made.growth.map(({ credentials }) => credentials)
  const others = before.growth.filter(({ credentials }) => !sizes.includes(credentials))
  for (const { credentials } of others) {
    const name = `growth with ${credentials.toLocaleString("en")} credentials`
    earlier[name] = before.earlier?.[name] ?? before.earlier?.[partNames.growth] ?? stamp
  }
  const growth = [...made.growth, ...others].sort((a, b) => a.credentials - b.credentials)
  return { ...made, ...parts, growth, earlier }
}

/** Whether this is a file of `npm run bench -- --json`. */
export function isComplete(read: Partial<Results>): read is Results {
  const parts = ["machine", "arguments", "embedded", "postgres", "growth", "depth"] as const
  return parts.every((part) => read[part] !== undefined)
}
