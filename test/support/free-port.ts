import { randomInt } from "node:crypto"
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/**
 * The tests use ports below those that systems hand out. A server that is stopped for a moment therefore cannot lose
 * its port to another connection.
 */
const PORTS = [12_000, 32_000] as const

/**
 * The directory has an empty file for each port that was given out. Test files run side by side, and each listens on
 * its port later.
 */
const GIVEN = join(tmpdir(), "latchkey-ports")
/** Files older than this belong to processes that were killed, because no run takes so long. */
const LEFT_OVER_MILLISECONDS = 3_600_000

const given: string[] = []
process.once("exit", () => {
  for (const file of given) rmSync(file, { force: true })
})

/** Returns a loopback port that is free now and reserved for this process among all test processes. */
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
    // If no such file can be created, the port is not reserved.
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

/** The default port of `serve`. */
const DEFAULT_PORT = 8787

/**
 * Listens on the default port of the service while this process runs, and closes all connections. A test that uses this
 * port then fails even if no service runs on it. TEST-1. Does nothing if the port is already in use.
 */
export function holdDefaultPort(): Promise<void> {
  return new Promise((resolve) => {
    const holder = createServer((socket) => socket.destroy()).unref()
    holder.once("error", () => resolve())
    holder.listen(DEFAULT_PORT, "127.0.0.1", resolve)
  })
}
