import { randomInt } from "node:crypto"
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Below those that systems hand out: a server that is away for a moment could lose its port to another connection. */
const PORTS = [12_000, 32_000] as const

/** An empty file for each port that was given: files of tests run side by side, and each listens on its port later. */
const GIVEN = join(tmpdir(), "latchkey-ports")
/** No run takes so long: what is left over is of a process that was killed. */
const LEFT_OVER_MILLISECONDS = 3_600_000

const given: string[] = []
process.once("exit", () => {
  for (const file of given) rmSync(file, { force: true })
})

/** A port of the loopback address that is free now, reserved for this process among all test processes. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS)
    if (isGivenFirst(port) && (await isFree(port))) return port
  }
}

function isGivenFirst(port: number): boolean {
  const file = join(GIVEN, String(port))
  try {
    mkdirSync(GIVEN, { recursive: true })
    writeFileSync(file, "", { flag: "wx" })
    given.push(file)
    return true
  } catch (error) {
    // Where no such file can be made, chance has to do.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") return true
  }
  const madeAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
  if (Date.now() - madeAt > LEFT_OVER_MILLISECONDS) rmSync(file, { force: true })
  return false
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once("error", () => resolve(false))
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)))
  })
}

/** Where `serve` listens unless it is given another port. */
const DEFAULT_PORT = 8787

/**
 * Listens on the default port of the service for as long as this process lasts, and closes what connects there: a test that
 * uses that port fails whether or not a service runs on it. TEST-1. Does nothing where it is taken already.
 */
export function holdDefaultPort(): Promise<void> {
  return new Promise((resolve) => {
    const holder = createServer((socket) => socket.destroy()).unref()
    holder.once("error", () => resolve())
    holder.listen(DEFAULT_PORT, "127.0.0.1", resolve)
  })
}
