/**
 * A port that the system chooses. The base address names it, so it is known before anything is answered, and no other
 * process can take it meanwhile.
 */
import { once } from "node:events"
import { type AddressInfo, createServer, type Server } from "node:net"

export type ReservedPort = {
  readonly port: number
  /** For a server to listen on. By itself it keeps no process alive. */
  readonly handle: Server
}

export async function reservePort(host: string): Promise<ReservedPort> {
  const handle = createServer().listen(0, host).unref()
  await once(handle, "listening")
  return { port: (handle.address() as AddressInfo).port, handle }
}
