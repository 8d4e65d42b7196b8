/**
 * Measures the memory of the service after garbage collection. The system's numbers say little about this, because the
 * C library keeps freed blocks and the engine collects at any time. The service's own inspector is therefore used.
 */
import { once } from "node:events"
import type { SpawnedServer } from "../../test/support/spawn.ts"
import { until } from "../../test/support/until.ts"

/** Opens the inspector on any free port. */
export const INSPECTED = { NODE_OPTIONS: "--inspect-port=127.0.0.1:0" } as const

const HELD = "(({ heapUsed, external }) => (heapUsed + external) / 2 ** 20)(process.memoryUsage())"

type Answered = { readonly id: number; readonly result?: { readonly result?: { readonly value?: number } } }

/** Returns the live memory in MiB. `server` must be started with `INSPECTED`. */
export async function liveMiB(server: SpawnedServer): Promise<number> {
  // The signal is sent once, because the inspector stays open.
  if (addressIn(server.stderr) === undefined) process.kill(server.pid, "SIGUSR1")
  await until(() => addressIn(server.stderr) !== undefined, "the inspector says where it is")
  const socket = new WebSocket(addressIn(server.stderr) ?? "")
  try {
    await once(socket, "open")
    // Some memory, such as buffers, is freed only by the second collection.
    await ask(socket, 1, "HeapProfiler.collectGarbage")
    await ask(socket, 2, "HeapProfiler.collectGarbage")
    const { result } = await ask(socket, 3, "Runtime.evaluate", { expression: HELD, returnByValue: true })
    return Math.round((result?.result?.value ?? Number.NaN) * 10) / 10
  } finally {
    socket.close()
  }
}

function addressIn(stderr: string): string | undefined {
  return /^Debugger listening on (ws:\S+)$/m.exec(stderr)?.[1]
}

async function ask(socket: WebSocket, id: number, method: string, params: object = {}): Promise<Answered> {
  socket.send(JSON.stringify({ id, method, params }))
  for (;;) {
    const [{ data }] = (await once(socket, "message")) as [{ readonly data: unknown }]
    const answered = JSON.parse(String(data)) as Answered
    if (answered.id === id) return answered
  }
}
