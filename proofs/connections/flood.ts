/** Idle connections, and slow ones that send their head byte by byte. */
import { once } from "node:events"
import { connect, type Socket } from "node:net"

const AT_ONCE = 100
const HEAD = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
const SLOW_HEAD = `GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ${"a".repeat(4000)}\r\n\r\n`
/** Slow connections are opened over this many ticks. */
const TICKS_TO_COME = 10

/**
 * The state of a connection. The service has responded and keeps it open, has closed it without a response, or has done
 * neither.
 */
export type Welcome = "answered" | "closed" | "waiting"

export class ConnectionFlood {
  readonly #port: number
  readonly #patienceMilliseconds: number
  readonly #sockets = new Set<Socket>()

  /** A connection counts as waiting if neither happens for `patienceSeconds`. */
  constructor(url: string, patienceSeconds: number) {
    this.#port = Number(new URL(url).port)
    this.#patienceMilliseconds = patienceSeconds * 1000
  }

  /** The number of open connections. */
  get open(): number {
    return this.#sockets.size
  }

  /** Opens `count` connections. Each sends one request, gets a response and stays open. */
  async arrive(count: number): Promise<ReadonlyMap<Welcome, number>> {
    const welcomes = new Map<Welcome, number>()
    let left = count
    const next = async () => {
      while (left-- > 0) {
        const welcome = await this.#arrive()
        welcomes.set(welcome, (welcomes.get(welcome) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, next))
    return welcomes
  }

  /** Keeps `count` connections open that send their head byte by byte. Returns a function that ends them. */
  dawdle(count: number, everyMilliseconds: number): () => void {
    const slow: { socket: Socket; sent: number }[] = []
    const timer = setInterval(() => {
      const missing = Math.min(count - slow.length, Math.ceil(count / TICKS_TO_COME))
      for (let n = 0; n < missing; n++) slow.push({ socket: this.#open(), sent: 0 })
      for (const [n, one] of slow.entries()) {
        if (one.socket.destroyed) slow[n] = { socket: this.#open(), sent: 0 }
        else one.socket.write(SLOW_HEAD[one.sent++ % SLOW_HEAD.length] ?? "")
      }
    }, everyMilliseconds)
    return () => {
      clearInterval(timer)
      for (const { socket } of slow) socket.destroy()
    }
  }

  leave(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async #arrive(): Promise<Welcome> {
    const socket = this.#open()
    socket.setTimeout(this.#patienceMilliseconds, () => socket.emit("patience"))
    socket.write(HEAD)
    const welcome = await Promise.race([
      once(socket, "data").then((): Welcome => "answered"),
      once(socket, "close").then((): Welcome => "closed"),
      once(socket, "patience").then((): Welcome => "waiting"),
    ]).catch((): Welcome => "closed")
    socket.setTimeout(0)
    return welcome
  }

  #open(): Socket {
    const socket = connect({ host: "127.0.0.1", port: this.#port })
    this.#sockets.add(socket)
    socket.on("error", () => undefined)
    socket.once("close", () => this.#sockets.delete(socket))
    socket.resume()
    return socket
  }
}
