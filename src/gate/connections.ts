/** Limits the number and duration of connections, and answers what is not a question. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { peerAddress } from "../platform/http/connection/client-address.ts"
import { endGently } from "../platform/http/connection/drain.ts"

export type ConnectionLimits = {
  readonly connections: number
  /** How many of the connections may come from addresses that are not trusted. */
  readonly strangers: number
  /** A head must be complete within this time, also the first one of a connection. */
  readonly headMs: number
  readonly keepAliveMs: number
  readonly checkMs: number
}

export const LIMITS: ConnectionLimits = {
  connections: 10_000,
  strangers: 500,
  headMs: 10_000,
  keepAliveMs: 75_000,
  checkMs: 2_000,
}

export type ConnectionProblem = "tooManyConnections" | "tooSlow" | "headTooLarge" | "notHttp"

type ConnectionsOptions = {
  readonly take: (request: IncomingMessage, response: ServerResponse) => void
  readonly isStranger: (socket: Socket) => boolean
  readonly refused: (reason: ConnectionProblem, address: string) => void
  readonly limits: ConnectionLimits
}

/** Proxies may pass on all headers of the client, which are up to 32 KB by default. */
const HEADER_BYTES_AT_MOST = 48 * 1024
/** While the gate stops, idle connections are closed at this interval. */
const CLOSE_IDLE_MS = 50

const NOT_HTTP = "HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
const PROBLEMS: ReadonlyMap<string | undefined, ConnectionProblem> = new Map([
  ["ERR_HTTP_REQUEST_TIMEOUT", "tooSlow"],
  ["HPE_HEADER_OVERFLOW", "headTooLarge"],
])

export class Connections {
  readonly #options: ConnectionsOptions
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** The connections that have brought no question of a trusted caller, the oldest first. */
  readonly #unproven = new Set<Socket>()
  readonly #strangers = new Set<Socket>()
  readonly #latest = new WeakMap<Socket, ServerResponse>()
  /** While the gate stops, each answer closes its connection. */
  isClosing = false

  constructor(options: ConnectionsOptions) {
    const { limits } = options
    this.#options = options
    const take = (request: IncomingMessage, response: ServerResponse) => {
      this.#latest.set(request.socket, response)
      options.take(request, response)
    }
    this.#server = createServer(
      {
        requestTimeout: limits.headMs,
        headersTimeout: limits.headMs,
        connectionsCheckingInterval: limits.checkMs,
        keepAliveTimeout: limits.keepAliveMs,
        maxHeaderSize: HEADER_BYTES_AT_MOST,
        requireHostHeader: false,
        insecureHTTPParser: false,
      },
      take,
    )
    // By default, Node would drop headers above a number, and a repeated header with them.
    this.#server.maxHeadersCount = 0
    // No question has a body to continue with. Any other expectation is ignored (RFC 9110 §10.1.1); Node would answer
    // it with 417.
    this.#server.on("checkContinue", take).on("checkExpectation", take)
    this.#server.on("connection", (socket) => this.#admit(socket))
    this.#server.on("clientError", (error, socket) => this.#refuse(error, socket as Socket))
    this.#server.on("connect", (_, socket) => this.#refuse({}, socket as Socket))
  }

  async listen(host: string, port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject).listen(port, host, resolve)
    })
    return (this.#server.address() as AddressInfo).port
  }

  /** Lets requests in progress finish for up to `milliseconds`. */
  async close(milliseconds: number): Promise<void> {
    this.isClosing = true
    const sweep = setInterval(() => this.#closeIdle(), CLOSE_IDLE_MS)
    const timer = setTimeout(() => this.#server.closeAllConnections(), milliseconds)
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
      this.#closeIdle()
    })
    clearInterval(sweep)
    clearTimeout(timer)
  }

  /** Call this for a question of a trusted caller. Its connection is not closed to make room for others. */
  prove(socket: Socket): void {
    this.#unproven.delete(socket)
  }

  #admit(socket: Socket): void {
    const { limits, isStranger } = this.#options
    const groups = [this.#sockets, this.#unproven, ...(isStranger(socket) ? [this.#strangers] : [])]
    for (const group of groups) group.add(socket)
    socket.once("close", () => this.#forget(socket))
    // A new connection may be that of a proxy. It takes the place of one that only waits.
    if (this.#strangers.size > limits.strangers) this.#close(this.#strangers)
    else if (this.#sockets.size > limits.connections) this.#close(this.#unproven)
  }

  #close(group: ReadonlySet<Socket>): void {
    const [oldest] = group
    if (oldest === undefined) return
    this.#options.refused("tooManyConnections", peerAddress({ socket: oldest }))
    this.#forget(oldest)
    oldest.destroy()
  }

  #forget(socket: Socket): void {
    for (const group of [this.#sockets, this.#unproven, this.#strangers]) group.delete(socket)
  }

  #refuse({ code }: NodeJS.ErrnoException | { readonly code?: undefined }, socket: Socket): void {
    // A client that has sent nothing would take the answer for the one to its next request. A pending answer would
    // come after this one.
    const latest = this.#latest.get(socket)
    const isPending = latest !== undefined && !latest.writableFinished
    const isGone = code === "ECONNRESET" || !socket.writable || socket.bytesRead === 0
    if (!isGone) this.#options.refused(PROBLEMS.get(code) ?? "notHttp", peerAddress({ socket }))
    if (isGone || isPending) return void socket.destroy()
    socket.write(NOT_HTTP)
    endGently(socket.on("error", () => socket.destroy()).resume())
  }

  #closeIdle(): void {
    this.#server.closeIdleConnections()
    // A proxy may open a connection in advance. Node waits for its first request and would keep it open.
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy()
  }
}
