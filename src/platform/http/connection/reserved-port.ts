/** Reserves a port that the system chooses. The base URL contains it, so it must be known before a request. */
import { once } from "node:events"
import { type AddressInfo, createServer, type Server } from "node:net"

export type ReservedPort = {
  readonly port: number
  /** The server listens on this handle. The handle does not keep the process running. */
  readonly handle: Server
}

export async function reservePort(host: string): Promise<ReservedPort> {
  const handle = createServer().listen(0, host).unref()
  await once(handle, "listening")
  return { port: (handle.address() as AddressInfo).port, handle }
}
