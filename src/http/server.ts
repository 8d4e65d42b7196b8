/**
 * The HTTP server: `node:http`, the table of routes, and the way of a request through them.
 *
 *   address → gate (number, CORS, budget, method) → body → endpoint → answer
 *
 * An address that leads nowhere is answered before its body is read, as an address that a setting takes away is: nothing
 * is to tell the two apart.
 */
import type { Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { BODY_BYTES_AT_MOST } from "../core/limits.ts"
import { readBody } from "./body.ts"
import { answerClientError, MALFORMED } from "./client-error.ts"
import type { Endpoint } from "./endpoint/endpoint.ts"
import { answerCut, answerFault, answerUnknown, answerUnread } from "./fault.ts"
import { endpointFor, type Gate, gate } from "./gate.ts"
import { Incoming } from "./incoming.ts"
import { HttpReply, HttpRequest } from "./message.ts"
import type { Metrics } from "./metrics.ts"
import { isInBytes } from "./request.ts"
import { numbering, REQUEST_ID } from "./request-id.ts"
import { Router } from "./router.ts"
import { type Route, routes } from "./routes.ts"
import type { Site } from "./site.ts"
import type { TakenPort } from "./taken-port.ts"
import { localUrl } from "./target.ts"

// An import by name would load all that the module offers, a client for WebSockets among it: a tenth of a second at the start.
const { createServer } = process.getBuiltinModule("node:http")

/** A slow sender is cut off after this long; a connection that says nothing keeps nothing else waiting. */
const REQUEST_MILLISECONDS = 30_000
const HEAD_MILLISECONDS = 15_000
const CHECKED_EVERY_MILLISECONDS = 5_000
const IDLE_MILLISECONDS = 75_000

/** Nobody takes longer to read the next piece of an answer; streams are written to far more often. */
const STALLED_MILLISECONDS = 120_000

/** How often connections that have become idle are closed, once the service is ending. */
const SWEEP_MILLISECONDS = 50

/** CONNECT, which is for proxies. */
const NO_TUNNEL = { name: "Error", message: "no tunnel", code: "HPE_INVALID_METHOD" }

/** `metrics` times the answers; `isPublic` puts them on this listener as well. */
export type Metered = { readonly metrics: Metrics; readonly isPublic: boolean }

/** Hears of every answer, when it has been sent whole, and how long it took since its head was read. */
export type Observer = (request: HttpRequest, reply: HttpReply, milliseconds: number) => void

type Place = { readonly route: Route; readonly enter: Gate; readonly bodyBytes: number }

export function buildServer(site: Site, metered: Metered | null = null): HttpServer {
  const server = new HttpServer(site)
  const shown = metered?.isPublic === true ? [metered.metrics.route()] : []
  for (const route of [...routes(site.basePath), ...shown]) server.add(route)
  // Whether debug lines are written is settled at the start: without them no request pays for their clock.
  if (site.latchkey.log.isLevelEnabled("debug")) server.observe(logAnswers(site))
  if (metered !== null) server.observe(metered.metrics.timing())
  return server
}

export class HttpServer {
  readonly #site: Site
  readonly #server: Server
  readonly #router = new Router<Place>()
  readonly #numberOf: (request: Incoming) => string
  readonly #observers: Observer[] = []
  /** The reply to the latest request of each connection. */
  readonly #latest = new WeakMap<Duplex, HttpReply>()
  /** Open connections. */
  readonly #sockets = new Set<Socket>()
  isClosing = false

  constructor(site: Site) {
    this.#site = site
    this.#numberOf = numbering(site.trustedProxies)
    this.#server = createServer(
      {
        requestTimeout: REQUEST_MILLISECONDS,
        headersTimeout: HEAD_MILLISECONDS,
        connectionsCheckingInterval: CHECKED_EVERY_MILLISECONDS,
        keepAliveTimeout: IDLE_MILLISECONDS,
        // Missed below, in the shape of every error.
        requireHostHeader: false,
        IncomingMessage: Incoming,
        // What has no body is no stream that ends.
        optimizeEmptyRequests: true,
      },
      (raw, rawReply) => this.#take(raw, rawReply),
    )
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket)
      socket.once("close", () => this.#sockets.delete(socket))
    })
    this.#server.timeout = STALLED_MILLISECONDS
    this.#server.on("clientError", (error, socket) => this.#cutShort(error, socket as Socket))
    // Left to Node, one that asks for a tunnel ends the connection at once, and with it the answers that others wait for.
    this.#server.on("connect", (_, socket) => this.#cutShort(NO_TUNNEL, takenOver(socket as Socket)))
    // What else is expected than to go on is nothing to refuse (RFC 9110 §10.1.1): Node would, in no shape of ours.
    this.#server.on("checkExpectation", (raw, rawReply) =>
      this.#take(raw as Incoming, rawReply as ServerResponse<Incoming>),
    )
  }

  add(route: Route): void {
    const bodyBytes = route.bodyBytes ?? BODY_BYTES_AT_MOST
    this.#router.add(route.path, { route, enter: gate(this.#site, route), bodyBytes })
  }

  observe(observer: Observer): void {
    this.#observers.push(observer)
  }

  /** `at` may be the handle of a port that is taken already. */
  listen(at: { readonly host: string; readonly port: number } | TakenPort["handle"]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject)
      this.#server.listen(at, () => {
        this.#server.off("error", reject)
        this.#server.ref()
        resolve()
      })
    })
  }

  /**
   * Takes no new connection, lets what has begun finish, and resolves then. Connections that become idle are closed: they
   * would stay open for as long as their clients like, and keep the process waiting for nothing.
   */
  async close(): Promise<void> {
    if (this.isClosing) return
    this.isClosing = true
    const sweep = setInterval(() => this.#closeIdle(), SWEEP_MILLISECONDS)
    await new Promise((resolve) => this.#server.close(resolve))
    clearInterval(sweep)
    this.#site.refusals.endSecond()
  }

  #closeIdle(): void {
    this.#server.closeIdleConnections()
    // Node waits for a first request on those that browsers open ahead.
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy()
  }

  #cutShort(error: NodeJS.ErrnoException, socket: Socket): void {
    answerClientError(error, socket, this.#latest.get(socket), (reply, cut) => {
      reply.request.isBeingRead = false
      answerCut(this.#site, reply.request, reply, cut)
    })
  }

  /** Ends every connection, whatever it waits for. */
  cutOff(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #take(raw: Incoming, rawReply: ServerResponse<Incoming>): void {
    // Sent on behind a request whose answer closes the connection: it is not looked at (RFC 9112 §9.6).
    const before = this.#latest.get(raw.socket)
    if (before !== undefined && before.isSent && before.closes) return
    const request = new HttpRequest(raw, this.#numberOf(raw), localUrl(raw.url, this.#site.basePath))
    const reply = new HttpReply(rawReply, request, this)
    this.#latest.set(raw.socket, reply)
    if (this.#observers.length > 0) this.#tell(request, reply)
    try {
      this.#route(request, reply)
    } catch (fault) {
      this.#fault(request, reply, fault)
    }
  }

  #route(request: HttpRequest, reply: HttpReply): void {
    // RFC 9112 §3.2.
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1") {
      reply.closes = true
      return void answerCut(this.#site, request, reply.header(REQUEST_ID, request.id), MALFORMED)
    }
    const found = this.#router.find(request.url)
    if (found === undefined) return void answerUnread(this.#site, request, reply, "addressMalformed")
    if (found === null) return void answerUnknown(this.#site, request, reply)
    const { place, params } = found
    request.route = place.route
    if (params !== null) request.params = params
    const isIn = place.enter(request, reply)
    if (isIn === true) return this.#read(request, reply, place)
    if (isIn === false) return
    isIn
      .then((isInNow) => {
        if (isInNow) this.#read(request, reply, place)
      })
      .catch((fault: unknown) => this.#fault(request, reply, fault))
  }

  #read(request: HttpRequest, reply: HttpReply, { route, bodyBytes }: Place): void {
    const endpoint = endpointFor(route, request.method)
    if (endpoint === undefined) throw new Error("a gate lets nobody in where nothing answers")
    if (request.method === "GET" || request.method === "HEAD") return this.#run(endpoint, request, reply)
    if (request.cut !== null) return void answerCut(this.#site, request, reply, request.cut)
    request.isBeingRead = true
    readBody(request.raw, bodyBytes, (body) => {
      // Too late: it has been answered that it does not come.
      if (!request.isBeingRead) return
      request.isBeingRead = false
      if (body === null) {
        // What else is sent is not waited for.
        reply.closes = true
        return void answerUnread(this.#site, request, reply, "bodyTooLarge")
      }
      request.body = isInBytes(request) ? body : body.toString("utf8")
      this.#run(endpoint, request, reply)
    })
  }

  #run(endpoint: Endpoint, request: HttpRequest, reply: HttpReply): void {
    try {
      const answered = endpoint(this.#site, request, reply)
      if (answered instanceof Promise) answered.catch((fault: unknown) => this.#fault(request, reply, fault))
    } catch (fault) {
      this.#fault(request, reply, fault)
    }
  }

  /** Answers a fault, whatever else breaks over it: nobody would hear of one that is thrown from here. */
  #fault(request: HttpRequest, reply: HttpReply, fault: unknown): void {
    let left = fault
    if (!reply.isSent) {
      try {
        return void answerFault(this.#site, request, reply, fault)
      } catch (another) {
        left = another
      }
    }
    this.#site.latchkey.log.error({ request_id: request.id, err: left }, "fault after the answer")
    reply.raw.destroy()
  }

  #tell(request: HttpRequest, reply: HttpReply): void {
    const startedAt = performance.now()
    reply.raw.once("finish", () => {
      const milliseconds = performance.now() - startedAt
      for (const observer of this.#observers) observer(request, reply, milliseconds)
    })
  }
}

/** Node has let go of it: it ends with an error or with its time only where somebody hears of these. */
function takenOver(socket: Socket): Socket {
  const end = () => socket.destroy()
  return socket.on("error", end).on("timeout", end).resume()
}

function logAnswers({ latchkey: { log } }: Site): Observer {
  return (request, { statusCode }, milliseconds) =>
    log.debug({
      request_id: request.id,
      method: request.method,
      // The route, not what was sent: an address that leads nowhere may hold a token that somebody pasted there.
      path: request.route?.path ?? null,
      status: statusCode,
      milliseconds: Math.round(milliseconds * 10) / 10,
    })
}
