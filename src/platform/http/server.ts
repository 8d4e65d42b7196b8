/**
 * The HTTP server. It uses `node:http` and the route table. A request takes these steps:
 *
 * path → gate (request id, CORS, budget, method) → body → endpoint → response
 *
 * An unknown path and a disabled endpoint get the same response before the body is read. Clients cannot distinguish the
 * two.
 */
import type { Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { BODY_BYTES_AT_MOST } from "../../kernel/limits.ts"
import { readBody } from "./connection/body.ts"
import { connectionState } from "./connection/connection-state.ts"
import { answerClientError, endBehindLatest, MALFORMED } from "./client-error.ts"
import { isStillComing } from "./connection/drain.ts"
import type { Endpoint } from "./endpoint.ts"
import { answerCut, answerFault, answerUnknown, answerUnread } from "./fault.ts"
import { endpointFor, type Gate, gate } from "./gate.ts"
import { NO_ROOM_FOR_BODY } from "./connection/held-bodies.ts"
import { Incoming } from "./connection/incoming.ts"
import * as limits from "./connection/limits.ts"
import { HttpReply, HttpRequest } from "./connection/message.ts"
import { isInBytes } from "./request.ts"
import { loadOnce } from "./lazy-module.ts"
import { numbering, REQUEST_ID } from "./request-id.ts"
import { type Found, Router } from "./router.ts"
import type { LazyRoutes, Route } from "./route.ts"
import type { HttpContext } from "./http-context.ts"
import type { ReservedPort } from "./connection/reserved-port.ts"
import { localUrl } from "./connection/target.ts"

// An `import` would load all exports of the module, including a WebSocket client. That would delay the start by a tenth
// of a second.
const { createServer } = process.getBuiltinModule("node:http")

/** The error for the method CONNECT, which is meant for proxies. */
const NO_TUNNEL = { name: "Error", message: "no tunnel", code: "HPE_INVALID_METHOD" }

/** Called after each complete response. The time starts when the head of the request was parsed. */
export type Observer = (request: HttpRequest, reply: HttpReply, milliseconds: number) => void

type Place = { readonly route: Route; readonly enter: Gate; readonly bodyBytes: number }

/** A group of routes with a router of its own, which the first request loads. */
type LazyPlace = { readonly router: () => Promise<Router<Place>> }

export class HttpServer {
  readonly #context: HttpContext
  readonly #server: Server
  readonly #router = new Router<Place | LazyPlace>()
  readonly #numberOf: (request: Incoming) => string
  readonly #observers: Observer[] = []
  readonly #sockets = new Set<Socket>()
  readonly #stallCheck: NodeJS.Timeout
  isClosing = false

  constructor(context: HttpContext, connectionsAtMost = limits.CONNECTIONS_AT_MOST) {
    this.#context = context
    this.#numberOf = numbering(context.trustedProxies)
    this.#server = createServer(
      {
        requestTimeout: limits.REQUEST_TIMEOUT_MS,
        headersTimeout: limits.HEAD_TIMEOUT_MS,
        connectionsCheckingInterval: limits.TIMEOUT_CHECK_MS,
        keepAliveTimeout: limits.KEEP_ALIVE_MS,
        // `#route` checks the Host header and sends our own form of the error.
        requireHostHeader: false,
        IncomingMessage: Incoming,
        shouldUpgradeCallback: (raw) => raw.isSurplus,
        // With this option, a request without a body emits no stream events.
        optimizeEmptyRequests: true,
      },
      (raw, rawReply) => this.#take(raw, rawReply),
    )
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket)
      socket.once("close", () => this.#sockets.delete(socket))
    })
    this.#server.maxConnections = connectionsAtMost
    this.#server.timeout = limits.INACTIVITY_MS
    this.#stallCheck = setInterval(() => this.#closeStalled(), limits.STALL_CHECK_MS).unref()
    this.#server.on("clientError", (error, socket) => this.#cutShort(error, socket as Socket))
    // Without this listener, Node would close the connection after a CONNECT and lose the responses to earlier
    // requests.
    this.#server.on("connect", (_, socket) => this.#cutShort(NO_TUNNEL, takenOver(socket as Socket)))
    this.#server.on("upgrade", (_, socket) => this.#endBehindLatest(socket as Socket))
    // Node could write "100 Continue" between the head and the body of an earlier response. A client sends its body
    // without this status too (RFC 9110 §10.1.1).
    this.#server.on("checkContinue", (raw, rawReply) => {
      if (rawReply.socket !== null) rawReply.writeContinue()
      this.#take(raw as Incoming, rawReply as ServerResponse<Incoming>)
    })
    // An unknown `Expect` header is ignored (RFC 9110 §10.1.1). Node would refuse it with its own form of error.
    this.#server.on("checkExpectation", (raw, rawReply) =>
      this.#take(raw as Incoming, rawReply as ServerResponse<Incoming>),
    )
  }

  add(route: Route): void {
    this.#router.add(route.path, this.#placeOf(route))
  }

  addLazily({ below, load }: LazyRoutes): void {
    const router = loadOnce(async () => {
      const loaded = new Router<Place>()
      for (const route of await load()) loaded.add(route.path, this.#placeOf(route))
      return loaded
    })
    this.#router.add(below, { router })
    this.#router.add(`${below}/*`, { router })
  }

  #placeOf(route: Route): Place {
    const bodyBytes = route.bodyBytes ?? BODY_BYTES_AT_MOST
    return { route, enter: gate(this.#context, route), bodyBytes }
  }

  observe(observer: Observer): void {
    this.#observers.push(observer)
  }

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

  /** Resolves when all requests in progress have ended. Idle connections would keep the process running. */
  async close(): Promise<void> {
    if (this.isClosing) return
    this.isClosing = true
    const sweep = setInterval(() => this.#closeIdle(), limits.CLOSE_IDLE_MS)
    await new Promise((resolve) => this.#server.close(resolve))
    clearInterval(sweep)
    clearInterval(this.#stallCheck)
    this.#context.refusals.endSecond()
    void this.#context.outages.endSecond()
  }

  #closeIdle(): void {
    this.#server.closeIdleConnections()
    // A browser may open a connection in advance. Node waits for its first request and would keep it open.
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

  /** Handles a read with more requests than may be in flight. Only the accepted requests get a response. */
  #endBehindLatest(socket: Socket): void {
    endBehindLatest(takenOver(socket), connectionState(socket).latest)
  }

  /** Closes every connection, including those with requests in progress. */
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
    // RFC 9112 §3.2: an HTTP/1.1 request must have a Host header.
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1") {
      reply.closes = true
      return void answerCut(this.#context, request, reply.header(REQUEST_ID, request.id), MALFORMED)
    }
    this.#follow(request, reply, this.#router.find(request.url))
  }

  #follow(request: HttpRequest, reply: HttpReply, found: Found<Place | LazyPlace> | null | undefined): void {
    if (found === undefined) return void answerUnread(this.#context, request, reply, "addressMalformed")
    if (found === null) return void answerUnknown(this.#context, request, reply)
    const { place, params } = found
    if ("router" in place) return this.#followLazily(request, reply, place)
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

  #followLazily(request: HttpRequest, reply: HttpReply, { router }: LazyPlace): void {
    router()
      .then((loaded) => {
        // The request may have been cut off while the routes were loaded.
        if (!reply.isSent) this.#follow(request, reply, loaded.find(request.url))
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

  /** Runs the endpoint without a body. A body that arrives is discarded. */
  #runUnread(endpoint: Endpoint, request: HttpRequest, reply: HttpReply): void {
    if (isStillComing(request.raw)) request.raw.discard()
    else request.raw.release()
    this.#run(endpoint, request, reply)
  }

  #readBody(endpoint: Endpoint, request: HttpRequest, reply: HttpReply, bodyBytes: number): void {
    if (request.cut !== null) return void answerCut(this.#context, request, reply, request.cut)
    request.isBeingRead = true
    readBody(request.raw, bodyBytes, (body) => {
      // The body was cut off, and the request already has a response.
      if (!request.isBeingRead) return
      request.isBeingRead = false
      if (typeof body === "string") {
        // The connection closes, because the rest of the body is not read.
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

  /** Sends the response to a fault. Catches its own errors, because no caller would log them. */
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

/** Adds listeners to a socket that Node has released. Without them, errors and timeouts would not end the socket. */
function takenOver(socket: Socket): Socket {
  const end = () => socket.destroy()
  return socket.on("error", end).on("timeout", end).resume()
}
