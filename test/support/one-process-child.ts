/**
 * The child process of `one-process.ts`. It loads the main module again for each command, with new streams and a new
 * environment.
 */
import { PassThrough, Readable } from "node:stream"
import { text } from "node:stream/consumers"
import type { Answered, Order } from "./one-process.ts"

const MAIN = new URL("../../src/cli/main.ts", import.meta.url).href

/** The longest time that closed things may take to disappear after a command. */
const CLOSING_MILLISECONDS = 5000

let count = 0

process.on("message", (order: Order) => void run(order).then((answer) => process.send?.(answer)))

async function run({ args, input, env }: Order): Promise<Answered> {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const printed = Promise.all([text(stdout), text(stderr)])
  const streams = { stdin: Readable.from(input === "" ? [] : [Buffer.from(input)]), stdout, stderr }
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { value, configurable: true })
  process.argv = [process.execPath, MAIN, ...args]
  process.env = { ...env }
  process.exitCode = undefined
  const before = aliveBy()
  const broken = await import(`${MAIN}?${++count}`).then(
    () => null,
    (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
  )
  const fault = broken ?? (await leftOver(before))
  stdout.end()
  stderr.end()
  const [out, err] = await printed
  return { code: exitCode(), stdout: out, stderr: err, fault }
}

function exitCode(): number {
  return Number(process.exitCode ?? 0)
}

/** Returns what would have kept a separate process running after the command was done. */
async function leftOver(before: readonly string[]): Promise<string | null> {
  const end = performance.now() + CLOSING_MILLISECONDS
  for (;;) {
    const left = [...aliveBy()]
    for (const name of before) if (left.includes(name)) left.splice(left.indexOf(name), 1)
    if (left.length === 0) return null
    if (performance.now() > end) return `it does not end: ${left.join(", ")}`
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function aliveBy(): string[] {
  return process.getActiveResourcesInfo().filter((name) => name !== "Immediate")
}
