/** The lines of a plan. Its texts may come from a file, so the caller makes them visible. */
import type { Difference, Planned, Shown } from "./part.rules.ts"

const signs = { add: "+", update: "~", keep: " ", remove: "-" } as const

export type PlannedRecord = Pick<Planned, "change" | "what" | "key"> & { readonly members: readonly string[] }

export function plannedRecord({ change, what, key, members }: Planned): PlannedRecord {
  return { change, what, key, members: members.map(({ member }) => member) }
}

/** `ends` says what the change takes from live credentials. */
export function plannedLines(planned: Planned, ends: readonly string[]): readonly string[] {
  const { change, what, key, members } = planned
  const more = change === "update" ? [...members.map(differenceText), ...ends] : ends
  const named =
    change === "add" && members.length > 0
      ? `: ${members.map(({ member, after }) => (member === "value" ? shown(after) : member)).join(", ")}`
      : ""
  return [
    `${signs[change]} ${what.replaceAll("_", " ")} ${key}${named}`,
    ...more.map((line) => `    ${line}`),
  ]
}

export function summary(planned: readonly Planned[], isApplied: boolean): string {
  if (planned.length === 0) return "Nothing to change: everything is as the file says."
  const count = (change: Planned["change"]) => planned.filter((one) => one.change === change).length
  const counts = [count("add"), count("update"), count("remove")]
  return isApplied
    ? `Applied: ${counts[0]} added, ${counts[1]} changed, ${counts[2]} removed.`
    : `${counts[0]} to add, ${counts[1]} to change, ${counts[2]} to remove. Nothing was written.`
}

function differenceText({ member, before, after }: Difference): string {
  if (Array.isArray(before) && Array.isArray(after)) {
    const [was, is] = [before as readonly string[], after as readonly string[]]
    const changes = [
      ...is.filter((one) => !was.includes(one)).map((one) => `+${one}`),
      ...was.filter((one) => !is.includes(one)).map((one) => `-${one}`),
    ]
    return `${member}: ${changes.length === 0 ? "another order" : changes.join(" ")}`
  }
  if (member === "client_secret_file" || member === "jwks") return `${member}: another one`
  return `${member}: ${shown(before)} -> ${shown(after)}`
}

function shown(value: Shown): string {
  return value === null ? "none" : typeof value === "string" ? JSON.stringify(value) : String(value)
}
