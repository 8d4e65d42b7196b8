/** Runs the service on one core and all load on another, if the machine allows this. */
import { spawnSync } from "node:child_process"
import { availableParallelism } from "node:os"
import type { Span } from "../../test/support/spawn.ts"

const SERVICE_CORE = "0"
const LOAD_CORE = "1"

const canPin = availableParallelism() > 1 && spawnSync("taskset", ["--version"]).status === 0

/** The command through which `SpawnedServer` starts the service. */
export const serviceCommand: readonly string[] = canPin ? ["taskset", "-c", SERVICE_CORE] : []

/**
 * The command that starts an attack. Clients whose responses are measured have priority over the attack on the same
 * core.
 */
export const loadCommand: readonly string[] = canPin ? ["taskset", "-c", LOAD_CORE, "nice", "-n", "10"] : []

/** Keeps this process on the core of the load until `span` ends. Returns false if that is not possible. */
export function stayOnLoadCore(span: Span): boolean {
  if (!canPin) return false
  const all = /: (\S+)\s*$/.exec(taskset("-cp", String(process.pid)))?.[1]
  if (all === undefined) return false
  taskset("-cp", LOAD_CORE, String(process.pid))
  span.after(() => taskset("-cp", all, String(process.pid)))
  return true
}

function taskset(...args: readonly string[]): string {
  return spawnSync("taskset", args, { encoding: "utf8" }).stdout
}
