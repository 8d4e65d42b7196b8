/** The one address of a primary, which stays the same when another server takes over. */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import type { PostgresServer } from "../../test/support/postgres-server.ts"
import type { Span } from "../../test/support/spawn.ts"

export class Address {
  readonly #server: Server
  readonly #open = new Set<Socket>()
  #to: URL | null = null

  private constructor(server: Server) {
    this.#server = server
    server.on("connection", (socket) => this.#pass(socket))
  }

  static async open(span: Span, primary: PostgresServer): Promise<Address> {
    const server = createServer()
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = new Address(server)
    address.leadTo(primary)
    span.after(() => {
      address.leadTo(null)
      server.close()
    })
    return address
  }

  /** Breaks all connections and leads new ones to this server. Null refuses them. */
  leadTo(server: PostgresServer | null): void {
    this.#to = server === null ? null : new URL(server.url())
    for (const socket of this.#open) socket.destroy()
  }

  get url(): string {
    const url = new URL(this.#to ?? "")
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  #pass(near: Socket): void {
    if (this.#to === null) return void near.destroy()
    const far = connect(Number(this.#to.port), this.#to.hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#open.add(socket)
      socket.setNoDelay(true)
      socket.on("error", () => undefined)
      socket.once("close", () => {
        this.#open.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  }
}
