/**
 * The HTTP server. It uses `node:http`. A request takes these steps:
 *
 * server → dispatcher: path → gate (request id, CORS, budget, method) → body → endpoint → response
 */
import type { Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { connectionState } from "./connection/connection-state.ts"
import { answerClientError, endBehindLatest } from "./client-error.ts"
import { Dispatcher } from "./dispatcher.ts"
import { answerCut } from "./fault.ts"
import { Incoming } from "./connection/incoming.ts"
import * as limits from "./connection/limits.ts"
import { HttpReply, HttpRequest } from "./connection/message.ts"
import { numbering } from "./request-id.ts"
import type { HttpContext } from "./http-context.ts"
import type { ReservedPort } from "./connection/reserved-port.ts"
import { RouteTable } from "./route-table.ts"
import { localUrl } from "./connection/target.ts"

// An `import` would load all exports of the module, including a WebSocket client. That would delay the start by a tenth
// of a second.
const { createServer } = process.getBuiltinModule("node:http")

/** The error for the method CONNECT, which is meant for proxies. */
const NO_TUNNEL = { name: "Error", message: "no tunnel", code: "HPE_INVALID_METHOD" }

/** Called after each complete response. The time starts when the head of the request was parsed. */
export type Observer = (request: HttpRequest, reply: HttpReply, milliseconds: number) => void

export class HttpServer {
  readonly #context: HttpContext
  readonly #server: Server
  readonly #dispatcher: Dispatcher
  readonly routes: RouteTable
  readonly #numberOf: (request: Incoming) => string
  readonly #observers: Observer[] = []
  readonly #sockets = new Set<Socket>()
  readonly #stallCheck: NodeJS.Timeout
  isClosing = false

  constructor(context: HttpContext, connectionsAtMost = limits.CONNECTIONS_AT_MOST) {
    this.#context = context
    this.routes = new RouteTable(context)
    this.#dispatcher = new Dispatcher(context, this.routes)
    this.#numberOf = numbering(context.trustedProxies)
    this.#server = createServer(
      {
        requestTimeout: limits.REQUEST_TIMEOUT_MS,
        headersTimeout: limits.HEAD_TIMEOUT_MS,
        connectionsCheckingInterval: limits.TIMEOUT_CHECK_MS,
        keepAliveTimeout: limits.KEEP_ALIVE_MS,
        // The dispatcher checks the Host header and sends our own form of the error.
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
    this.#dispatcher.dispatch(request, reply)
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
