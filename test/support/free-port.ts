import { randomInt } from "node:crypto"
import { createServer } from "node:net"

/** Below those that systems hand out: a server that is away for a moment would find its port taken by somebody's connection. */
const PORTS = [12_000, 32_000] as const

/** A port of the loopback address where nobody listens now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once("error", () => resolve(false))
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)))
  })
}
