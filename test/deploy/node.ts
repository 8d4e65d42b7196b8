/**
 * Starts a node as a container or a systemd unit does: with all settings in its environment, and secrets in files.
 */
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { environmentWith, LATCHKEY, type Span } from "../support/spawn.ts"

const START_MILLISECONDS = 20_000

export type Node = {
  readonly kill: () => Promise<void>
  /** Returns everything that the node has logged. */
  readonly log: () => string
}

/** Starts `latchkey serve` and waits until it serves. The node ends with `span`. */
export async function startNode(span: Span, environment: Readonly<Record<string, string>>): Promise<Node> {
  const child = spawn(LATCHKEY, ["serve", "--json"], { env: environmentWith(environment) })
  const exited = once(child, "close")
  const kill = async () => {
    child.kill("SIGKILL")
    await exited
  }
  span.after(kill)
  const log: Buffer[] = []
  child.stderr.on("data", (part: Buffer) => log.push(part))
  const said = () => Buffer.concat(log).toString()
  const signal = AbortSignal.timeout(START_MILLISECONDS)
  const first = await Promise.race([once(child.stdout, "data", { signal }), exited])
  assert.equal(first.length, 1, `the node ended: ${said()}`)
  return { kill, log: said }
}
