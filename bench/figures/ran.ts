/** Formats how a part of the figures was measured, for docs/performance.md. */
import { commandOf, counted, madeOn } from "../words.ts"
import type { Footprint, Part } from "./results.ts"

/** Says when a part was measured, of which build, and with which command. */
export function ranAs(of: Part<object>, part: string, flags: readonly string[] = []): string {
  const { minutes, machine, postgres, missing } = of
  const versions = [`Node ${machine.node.slice(1)}`, ...(postgres === null ? [] : [`PostgreSQL ${postgres}`])]
  const without = missing.length === 0 ? "" : ` Not measured: ${missing.join("; ")}.`
  return (
    `${madeOn(of)}, ${commandOf("bench:figures", [`--only ${part}`, ...flags])}, ${counted(minutes, "minute")}; ${machine.processor}, ` +
    `${machine.cores} cores, ${machine.system}, ${machine.filesystem}, ${versions.join(", ")}.${without}`
  )
}

/** A round starts each server twice. More starts have a flag. */
export function startsOf({ rows, rounds }: Footprint): readonly string[] {
  const most = Math.max(...rows.map(({ starts }) => starts))
  return most === 2 * rounds ? [] : [`--starts ${most}`]
}
