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
import { BODY_BYTES_AT_MOST } from "../kernel/limits.ts"
import { readBody } from "./connection/body.ts"
import { connectionState } from "./connection/connection-state.ts"
import { answerClientError, endBehindLatest, MALFORMED } from "./client-error.ts"
import { isStillComing } from "./connection/drain.ts"
import type { Endpoint } from "./endpoint.ts"
import { answerCut, answerFault, answerUnknown, answerUnread } from "./fault.ts"
import { endpointFor, type Gate, gate } from "./gate.ts"
import { NO_ROOM_FOR_BODY } from "./connection/held-bodies.ts"
import { Incoming } from "./connection/incoming.ts"
import {
  CLOSE_IDLE_MS,
  CONNECTIONS_AT_MOST,
  HEAD_TIMEOUT_MS,
  INACTIVITY_MS,
  KEEP_ALIVE_MS,
  REQUEST_TIMEOUT_MS,
  STALL_CHECK_MS,
  TIMEOUT_CHECK_MS,
} from "./connection/limits.ts"
import { HttpReply, HttpRequest } from "./connection/message.ts"
import { isInBytes } from "./request.ts"
import { numbering, REQUEST_ID } from "./request-id.ts"
import { Router } from "./router.ts"
import type { Route } from "./route.ts"
import type { HttpContext } from "./http-context.ts"
import type { ReservedPort } from "./connection/reserved-port.ts"
import { localUrl } from "./connection/target.ts"

// An import by name would load all that the module offers, a client for WebSockets among it: a tenth of a second at the start.
const { createServer } = process.getBuiltinModule("node:http")

/** CONNECT, which is for proxies. */
const NO_TUNNEL = { name: "Error", message: "no tunnel", code: "HPE_INVALID_METHOD" }

/** Hears of every answer, when it has been sent whole, and how long it took since its head was read. */
export type Observer = (request: HttpRequest, reply: HttpReply, milliseconds: number) => void

type Place = { readonly route: Route; readonly enter: Gate; readonly bodyBytes: number }

export class HttpServer {
  readonly #context: HttpContext
  readonly #server: Server
  readonly #router = new Router<Place>()
  readonly #numberOf: (request: Incoming) => string
  readonly #observers: Observer[] = []
  /** Open connections. */
  readonly #sockets = new Set<Socket>()
  readonly #stallCheck: NodeJS.Timeout
  isClosing = false

  constructor(context: HttpContext, connectionsAtMost = CONNECTIONS_AT_MOST) {
    this.#context = context
    this.#numberOf = numbering(context.trustedProxies)
    this.#server = createServer(
      {
        requestTimeout: REQUEST_TIMEOUT_MS,
        headersTimeout: HEAD_TIMEOUT_MS,
        connectionsCheckingInterval: TIMEOUT_CHECK_MS,
        keepAliveTimeout: KEEP_ALIVE_MS,
        // Missed below, in the shape of every error.
        requireHostHeader: false,
        IncomingMessage: Incoming,
        shouldUpgradeCallback: (raw) => raw.isSurplus,
        // What has no body is no stream that ends.
        optimizeEmptyRequests: true,
      },
      (raw, rawReply) => this.#take(raw, rawReply),
    )
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket)
      socket.once("close", () => this.#sockets.delete(socket))
    })
    this.#server.maxConnections = connectionsAtMost
    this.#server.timeout = INACTIVITY_MS
    this.#stallCheck = setInterval(() => this.#closeStalled(), STALL_CHECK_MS).unref()
    this.#server.on("clientError", (error, socket) => this.#cutShort(error, socket as Socket))
    // Left to Node, one that asks for a tunnel ends the connection at once, and with it the answers that others wait for.
    this.#server.on("connect", (_, socket) => this.#cutShort(NO_TUNNEL, takenOver(socket as Socket)))
    this.#server.on("upgrade", (_, socket) => this.#endBehindLatest(socket as Socket))
    // What else is expected than to go on is nothing to refuse (RFC 9110 §10.1.1): Node would, in no shape of ours.
    this.#server.on("checkExpectation", (raw, rawReply) =>
      this.#take(raw as Incoming, rawReply as ServerResponse<Incoming>),
    )
  }

  add(route: Route): void {
    const bodyBytes = route.bodyBytes ?? BODY_BYTES_AT_MOST
    this.#router.add(route.path, { route, enter: gate(this.#context, route), bodyBytes })
  }

  observe(observer: Observer): void {
    this.#observers.push(observer)
  }

  /** `at` may be the handle of a port that is taken already. */
  listen(at: { readonly host: string; readonly port: number } | ReservedPort["handle"]): Promise<void> {
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
    const sweep = setInterval(() => this.#closeIdle(), CLOSE_IDLE_MS)
    await new Promise((resolve) => this.#server.close(resolve))
    clearInterval(sweep)
    clearInterval(this.#stallCheck)
    this.#context.refusals.endSecond()
    this.#context.outages.endSecond()
  }

  #closeIdle(): void {
    this.#server.closeIdleConnections()
    // Node waits for a first request on those that browsers open ahead.
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy()
  }

  #closeStalled(): void {
    for (const socket of this.#sockets) if (connectionState(socket).isStalled()) socket.destroy()
  }

  #cutShort(error: NodeJS.ErrnoException, socket: Socket): void {
    answerClientError(error, socket, connectionState(socket).latest, (reply, cut) => {
      reply.request.isBeingRead = false
      answerCut(this.#context, reply.request, reply, cut)
    })
  }

  /** More requests came in one read than may be in flight: the latest that does is the last to be answered. */
  #endBehindLatest(socket: Socket): void {
    endBehindLatest(takenOver(socket), connectionState(socket).latest)
  }

  /** Ends every connection, whatever it waits for. */
  cutOff(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #take(raw: Incoming, rawReply: ServerResponse<Incoming>): void {
    const { state } = raw
    if (state.isEnding) return
    const request = new HttpRequest(raw, this.#numberOf(raw), localUrl(raw.url, this.#context.basePath))
    const reply = new HttpReply(rawReply, request, this)
    state.latest = reply
    if (state.hasRoom) this.#begin(request, reply)
    else state.wait(() => this.#begin(request, reply))
  }

  #begin(request: HttpRequest, reply: HttpReply): void {
    reply.begin()
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
      return void answerCut(this.#context, request, reply.header(REQUEST_ID, request.id), MALFORMED)
    }
    const found = this.#router.find(request.url)
    if (found === undefined) return void answerUnread(this.#context, request, reply, "addressMalformed")
    if (found === null) return void answerUnknown(this.#context, request, reply)
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
    if (endpoint === undefined) throw new Error("a gate admitted a request without an endpoint")
    if (request.method === "GET" || request.method === "HEAD")
      return this.#runUnread(endpoint, request, reply)
    if (bodyBytes <= BODY_BYTES_AT_MOST) return this.#readBody(endpoint, request, reply, bodyBytes)
    const isKnownSender = route.isKnownSender?.(this.#context, request) ?? Promise.resolve(false)
    isKnownSender
      .then((isKnown) => {
        if (isKnown) this.#readBody(endpoint, request, reply, bodyBytes)
        else this.#runUnread(endpoint, request, reply)
      })
      .catch((fault: unknown) => this.#fault(request, reply, fault))
  }

  /** Runs the endpoint without a body. */
  #runUnread(endpoint: Endpoint, request: HttpRequest, reply: HttpReply): void {
    if (isStillComing(request.raw)) request.raw.discard()
    else request.raw.release()
    this.#run(endpoint, request, reply)
  }

  #readBody(endpoint: Endpoint, request: HttpRequest, reply: HttpReply, bodyBytes: number): void {
    if (request.cut !== null) return void answerCut(this.#context, request, reply, request.cut)
    request.isBeingRead = true
    readBody(request.raw, bodyBytes, (body) => {
      // Too late: it has been answered that it does not come.
      if (!request.isBeingRead) return
      request.isBeingRead = false
      if (typeof body === "string") {
        // What else is sent is not waited for.
        reply.closes = true
        if (body === "noRoom") return this.#fault(request, reply, NO_ROOM_FOR_BODY)
        return void answerUnread(this.#context, request, reply, body)
      }
      request.body = isInBytes(request) ? body : body.toString("utf8")
      this.#run(endpoint, request, reply)
    })
  }

  #run(endpoint: Endpoint, request: HttpRequest, reply: HttpReply): void {
    try {
      const answered = endpoint(this.#context, request, reply)
      if (answered instanceof Promise) answered.catch((fault: unknown) => this.#fault(request, reply, fault))
    } catch (fault) {
      this.#fault(request, reply, fault)
    }
  }

  /** Answers a fault, whatever else breaks over it: an error thrown from here would be lost. */
  #fault(request: HttpRequest, reply: HttpReply, fault: unknown): void {
    let left = fault
    if (!reply.isSent) {
      try {
        return void answerFault(this.#context, request, reply, fault)
      } catch (another) {
        left = another
      }
    }
    this.#context.services.log.error({ request_id: request.id, err: left }, "fault after the answer")
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

/** Node has released the socket: errors and timeouts end it only with these listeners. */
function takenOver(socket: Socket): Socket {
  const end = () => socket.destroy()
  return socket.on("error", end).on("timeout", end).resume()
}
