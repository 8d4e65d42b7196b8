/**
 * The HTTP server of the gate. A question of a proxy takes these steps:
 *
 * address → caller → headers of the family → host → path → route → token → answer
 *
 * No question has a body. A connection that sends one is closed after the answer.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type GateAnswer, headerMissing, NO_FAMILY, NOT_TRUSTED, UNCHECKED } from "./answer.rules.ts"
import type { Callers } from "./caller.ts"
import { type Family, familyOf, readAsked } from "./families.rules.ts"
import type { Decided, Guard } from "./guard.ts"
import type { Published } from "./published.ts"
import type { GateRoute } from "./routes/route.rules.ts"

/** A question and its answer, for metrics and the log. */
export type Answered = {
  readonly family: Family
  readonly answer: GateAnswer
  readonly route: GateRoute | null
  /** The duration in milliseconds. */
  readonly took: number
}

export type GateServerOptions = {
  readonly callers: Callers
  readonly guard: Guard
  readonly published: Published
  readonly answered: (answered: Answered) => void
  readonly failed: (error: unknown) => void
  readonly monotonic: () => number
}

/** Proxies may pass on all headers of the client, which are up to 32 KB by default. */
const HEADER_BYTES_AT_MOST = 48 * 1024
const CONNECTIONS_AT_MOST = 10_000
const TIMES = {
  requestTimeout: 10_000,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 75_000,
}

/** The answer to bytes that are not HTTP, or to too many of them. */
const NOT_HTTP = "HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

export class GateServer {
  readonly #options: GateServerOptions
  readonly #server: Server

  constructor(options: GateServerOptions) {
    this.#options = options
    this.#server = createServer(
      { ...TIMES, maxHeaderSize: HEADER_BYTES_AT_MOST, requireHostHeader: false, insecureHTTPParser: false },
      (request, response) => this.#take(request, response),
    )
    this.#server.maxConnections = CONNECTIONS_AT_MOST
    // By default, Node would drop headers above a number, and a repeated header with them.
    this.#server.maxHeadersCount = 0
    this.#server.on("clientError", (_, socket) => {
      if (socket.writable) socket.end(NOT_HTTP)
      else socket.destroy()
    })
  }

  async listen(host: string, port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject).listen(port, host, resolve)
    })
    return (this.#server.address() as AddressInfo).port
  }

  /** Lets running requests finish for up to `milliseconds`. */
  async close(milliseconds: number): Promise<void> {
    const timer = setTimeout(() => this.#server.closeAllConnections(), milliseconds)
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeIdleConnections()
    })
    clearTimeout(timer)
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    if (hasBody(request)) response.setHeader("Connection", "close")
    const url = request.url ?? ""
    const family = familyOf(url)
    if (family === undefined) return this.#publish(request, response, url)
    if (!this.#options.callers.isTrusted(request)) return send(response, NOT_TRUSTED)
    if (family === null) return send(response, NO_FAMILY)
    const startedAt = this.#options.monotonic()
    const end = ({ answer, route }: Decided) => {
      send(response, answer)
      this.#options.answered({ family, answer, route, took: this.#options.monotonic() - startedAt })
    }
    const fail = (error: unknown) => {
      this.#options.failed(error)
      end({ answer: UNCHECKED, route: null })
    }
    try {
      const decided = this.#decide(family, request, url)
      if (decided instanceof Promise) decided.then(end, fail)
      else end(decided)
    } catch (error) {
      fail(error)
    }
  }

  #decide(family: Family, request: IncomingMessage, url: string): Decided | Promise<Decided> {
    const { rawHeaders, method = "" } = request
    const asked = readAsked(family, { method, url, rawHeaders })
    if ("missing" in asked) return { answer: headerMissing(asked.missing), route: null }
    return this.#options.guard.decide(asked, request)
  }

  #publish(request: IncomingMessage, response: ServerResponse, url: string): void {
    const path = url.split("?", 1)[0] ?? ""
    const { status, headers, body } = this.#options.published(
      request.method ?? "",
      path,
      request.headers.host ?? "",
    )
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) })
    response.end(body)
  }
}

function send(response: ServerResponse, { status, headers, body }: GateAnswer): void {
  response.writeHead(status, [...headers, "Content-Length", String(Buffer.byteLength(body))])
  response.end(body)
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"]
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0")
}
