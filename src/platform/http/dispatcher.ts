/**
 * Leads a request to its endpoint: path → gate → body → endpoint. Whatever fails on the way gets a response.
 *
 * An unknown path and a disabled endpoint get the same response before the body is read. Clients cannot distinguish the
 * two.
 */
import { BODY_BYTES_AT_MOST } from "../../kernel/limits.ts"
import { MALFORMED } from "./client-error.ts"
import { readBody } from "./connection/body.ts"
import { isStillComing } from "./connection/drain.ts"
import { NO_ROOM_FOR_BODY } from "./connection/held-bodies.ts"
import type { HttpReply, HttpRequest } from "./connection/message.ts"
import type { Endpoint } from "./endpoint.ts"
import { answerCut, answerFault, answerUnknown, answerUnread } from "./fault.ts"
import { endpointFor } from "./gate.ts"
import type { HttpContext } from "./http-context.ts"
import { isInBytes } from "./request.ts"
import { REQUEST_ID } from "./request-id.ts"
import { StoreUnavailable } from "../../store/unavailable.ts"
import type { FoundPlace, Place, RouteTable } from "./route-table.ts"

export class Dispatcher {
  readonly #context: HttpContext
  readonly #routes: RouteTable

  constructor(context: HttpContext, routes: RouteTable) {
    this.#context = context
    this.#routes = routes
  }

  dispatch(request: HttpRequest, reply: HttpReply): void {
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
    const found = this.#routes.find(request.url)
    if (!(found instanceof Promise)) return this.#enter(request, reply, found)
    found
      .then((loaded) => {
        // The request may have been cut off while the routes were loaded.
        if (!reply.isSent) this.#enter(request, reply, loaded)
      })
      .catch((fault: unknown) => this.#fault(request, reply, fault))
  }

  #enter(request: HttpRequest, reply: HttpReply, found: FoundPlace): void {
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

  /**
   * Pages show the appearance of the service, and a setting decides which permissions tokens reach. Their endpoints run
   * with settings that are current. While the database is unavailable, this is the only wait of a page. The others then
   * find out by themselves.
   */
  #run(endpoint: Endpoint, request: HttpRequest, reply: HttpReply): void {
    const family = request.route?.family
    const isUsed = request.method === "POST" || family !== "oauth"
    const current = isUsed && this.#context.services.settings.current()
    if (!(current instanceof Promise)) return this.#runNow(endpoint, request, reply)
    const settled = family === "page" ? current : current.catch(unlessUnavailable)
    settled
      .then(() => this.#runNow(endpoint, request, reply))
      .catch((fault: unknown) => this.#fault(request, reply, fault))
  }

  #runNow(endpoint: Endpoint, request: HttpRequest, reply: HttpReply): void {
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
}

function unlessUnavailable(fault: unknown): void {
  if (!(fault instanceof StoreUnavailable)) throw fault
}
