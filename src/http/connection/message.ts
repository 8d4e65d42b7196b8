/**
 * A request and its reply, as every endpoint sees them: what `node:http` gives, with the little that is missing there.
 * docs/decisions/0011-own-http-layer.md says why there is no framework between.
 */
import type { IncomingHttpHeaders, ServerResponse } from "node:http"
import { type Readable, pipeline } from "node:stream"
import type { ClientId } from "../../kernel/ids.ts"
import { drain, isShort, isStillComing } from "./drain.ts"
import type { Family } from "./family.ts"
import type { Incoming } from "./incoming.ts"
import { queueResponse } from "./response-batching.ts"

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze(Object.create(null))

/** What keeps a request from ever being whole, in an answer. */
export type Cut = { readonly status: 400 | 408 | 431; readonly description: string }

export class HttpRequest {
  readonly raw: Incoming
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** The number that stands in its answer and in the log. */
  readonly id: string
  /** Path and query as they came, without the path of the base address. */
  readonly url: string
  /** Null where no route answers. */
  route: { readonly path: string; readonly family: Family } | null = null
  /** What stands in the place of the route's `:names`, decoded. */
  params = NO_PARAMS
  /** Undefined before it was read, and where the method has none. */
  body: string | Buffer | undefined = undefined
  /** The app that the request names, once that could be read. For the log alone: it may not exist. */
  presentedClientId: ClientId | null = null
  /** The app, once a lookup found it. Only this one is counted for and remembered: anyone can invent identifiers. */
  knownClientId: ClientId | null = null
  /** Its body is being read: nothing has been done for it yet. */
  isBeingRead = false
  /** Why the rest of the request will never arrive; null while it may still arrive. */
  cut: Cut | null = null
  /** The network address that it comes from, computed on first use. */
  address: string | null = null

  constructor(raw: Incoming, id: string, url: string) {
    this.raw = raw
    this.method = raw.method ?? ""
    this.headers = raw.headers
    this.id = id
    this.url = url
  }
}

/** If true, every reply from now on closes its connection. */
export type Closing = { readonly isClosing: boolean }

export class HttpReply {
  readonly raw: ServerResponse
  readonly request: HttpRequest
  statusCode = 200
  /** Whether an answer is on its way; only one may be. */
  isSent = false
  /** Whether the connection ends with this answer, which says so. */
  closes = false
  /** Of a whole answer that was handed over; 0 before, and for a stream. */
  #bytes = 0
  readonly #server: Closing
  /** Name, value, name, value: as `writeHead` takes them without copying. */
  readonly #headers: string[] = []

  constructor(raw: ServerResponse, request: HttpRequest, server: Closing) {
    this.raw = raw
    this.request = request
    this.#server = server
  }

  /** Its request begins: it is in flight until the answer has left. */
  begin(): void {
    const { state } = this.request.raw
    state.begin()
    this.raw.on("finish", () => state.left(this.#bytes))
  }

  code(status: number): this {
    this.statusCode = status
    return this
  }

  /** Sets a header, its name in lower case, in the place of what it was; only cookies add up. */
  header(name: string, value: string | number): this {
    const headers = this.#headers
    if (name !== "set-cookie") {
      for (let at = 0; at < headers.length; at += 2) {
        if (headers[at] !== name) continue
        headers[at + 1] = String(value)
        return this
      }
    }
    headers.push(name, String(value))
    return this
  }

  /** Forgets the headers that were set: an answer starts over. */
  clear(): this {
    this.#headers.length = 0
    return this
  }

  /** Answers with a text, bytes, or what a stream gives; once. */
  send(body?: string | Buffer | Readable): this {
    if (this.isSent) throw new Error("a request is answered once")
    const { raw } = this
    if (body === undefined) this.#sendWhole(hasNoLength(this.statusCode) ? null : 0)
    else if (typeof body === "string") this.#sendText(body)
    else if (Buffer.isBuffer(body)) this.#sendWhole(body.length, body)
    else if (this.request.method === "HEAD") this.#sendHead(null).end(() => body.destroy())
    // A client that leaves ends the stream; a broken stream ends the connection, so that half is not taken for all.
    else pipeline(body, this.#sendHead(null), (error) => void (error && raw.destroy()))
    return this
  }

  /** Takes the answer over: nothing more is sent from here. */
  hijack(): this {
    this.isSent = true
    return this
  }

  #sendText(text: string): void {
    const length = Buffer.byteLength(text)
    // Head and body leave in one piece; in Latin 1 where that is the same, which costs the least.
    this.#sendWhole(length, text, length === text.length ? "latin1" : "utf8")
  }

  #sendWhole(length: number | null, body?: string | Buffer, encoding: BufferEncoding = "utf8"): void {
    const raw = this.#sendHead(length)
    const request = this.request
    this.#bytes = length ?? 0
    request.raw.state.hold(this.#bytes)
    if (!this.closes || request.cut !== null || !isStillComing(request.raw))
      return queueResponse(raw, body, encoding)
    // All of the answer goes out; the connection ends after it, once nothing is under way that would reset it.
    if (body === undefined) raw.flushHeaders()
    else raw.write(body, encoding)
    drain(request.raw, () => raw.end())
  }

  /** What cannot be written as a header throws, and is no answer yet. */
  #sendHead(length: number | null): ServerResponse {
    const { raw } = this
    const incoming = this.request.raw
    if (isStillComing(incoming)) {
      incoming.discard()
      this.closes ||= !isShort(incoming)
    } else incoming.release()
    if (length !== null) this.#headers.push("content-length", String(length))
    this.closes ||= this.#server.isClosing
    if (this.closes) this.#headers.push("connection", "close")
    raw.writeHead(this.statusCode, this.#headers)
    this.isSent = true
    this.closes ||= !raw.shouldKeepAlive
    incoming.state.isEnding ||= this.closes
    return raw
  }
}

/** RFC 9110 §8.6. */
function hasNoLength(status: number): boolean {
  return status === 204 || status === 304
}
