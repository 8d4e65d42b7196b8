/**
 * A request and its reply, as endpoints see them. Both are thin wrappers of `node:http`.
 * docs/decisions/0011-own-http-layer.md says why there is no framework.
 */
import type { IncomingHttpHeaders, ServerResponse } from "node:http"
import { type Readable, pipeline } from "node:stream"
import type { Cookies } from "cookie"
import type { ClientId } from "../../../kernel/ids.ts"
import { drain, endGently, isShort, isStillComing } from "./drain.ts"
import type { Family } from "./family.ts"
import type { Incoming } from "./incoming.ts"
import { queueResponse } from "./response-batching.ts"

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze(Object.create(null))

/** The error for a request that will never be complete. */
export type Cut = { readonly status: 400 | 408 | 431; readonly description: string }

export class HttpRequest {
  readonly raw: Incoming
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly id: string
  /** The path and query as received, without the path of the base URL. */
  readonly url: string
  /** The value is null if no route matches. */
  route: { readonly path: string; readonly family: Family; readonly hasSecretUrl?: boolean } | null = null
  /** The decoded values of the route's `:names`. */
  params = NO_PARAMS
  /** The body is undefined until it was read, and for methods without a body. */
  body: string | Buffer | undefined = undefined
  /** The `client_id` in the request, which is used only for the log. The app may not exist. */
  presentedClientId: ClientId | null = null
  /** An app that exists. Statistics and refusals use only this one, because anyone can invent a `client_id`. */
  knownClientId: ClientId | null = null
  /** The cookies, once they were parsed. */
  cookies: Cookies | null = null
  /** Whether the body is being read. The endpoint has not run yet. */
  isBeingRead = false
  /** Why the rest of the request will never arrive. It is null if the request is complete. */
  cut: Cut | null = null
  /** The IP address of the client. It is computed when it is first needed. */
  address: string | null = null
  /** The language of the account that is signed in, if it chose one. */
  accountLanguage: string | null = null
  /** The path and query that wait behind the page. The page is in the language that an authorization request there asks for. */
  destination: string | null = null

  constructor(raw: Incoming, id: string, url: string) {
    this.raw = raw
    this.method = raw.method ?? ""
    this.headers = raw.headers
    this.id = id
    this.url = url
  }
}

/** What comes before the rest of a body. */
type First = { readonly text: string; readonly bytes: Buffer }

/** If `isClosing` is true, every later reply closes its connection. */
type Closing = { readonly isClosing: boolean }

export class HttpReply {
  readonly raw: ServerResponse
  readonly request: HttpRequest
  statusCode = 200
  /** Whether the response was sent. A request has exactly one response. */
  isSent = false
  /** Whether the connection ends after this response, with `Connection: close`. */
  closes = false
  /** The length of the response that was passed to Node. It is 0 before the response, and for a stream. */
  #bytes = 0
  readonly #server: Closing
  /** Names and values alternate. `writeHead` accepts this form without copying. */
  readonly #headers: string[] = []

  constructor(raw: ServerResponse, request: HttpRequest, server: Closing) {
    this.raw = raw
    this.request = request
    this.#server = server
  }

  /** Counts the request as in flight until its response is sent. */
  begin(): void {
    const { state } = this.request.raw
    state.begin()
    this.raw.on("finish", () => state.left(this.#bytes))
  }

  code(status: number): this {
    this.statusCode = status
    return this
  }

  /** Sets a header and replaces its earlier value. Several cookies are all kept. `name` must be lower case. */
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

  /** Removes all headers, so that the reply can carry another response. */
  clear(): this {
    this.#headers.length = 0
    return this
  }

  /** Sends the response: a text, bytes or a stream. Throws if a response was sent already. */
  send(body?: string | Buffer | Readable): this {
    if (this.isSent) throw new Error("the request was already answered")
    const { raw } = this
    if (body === undefined) this.#sendWhole(hasNoLength(this.statusCode) ? null : 0)
    else if (typeof body === "string") this.#sendText(body)
    else if (Buffer.isBuffer(body)) this.#sendWhole(body.length, body)
    else if (this.request.method === "HEAD") this.#sendHead(null).end(() => body.destroy())
    // If the client disconnects, the stream ends. If the stream fails, the connection ends, because a partial body must
    // not look complete.
    else pipeline(body, this.#sendHead(null), (error) => void (error && raw.destroy()))
    return this
  }

  /** Sends bytes between two texts. The bytes may be those of other responses too, and are not copied. */
  sendAround(before: string, bytes: Buffer, after: string): this {
    if (this.isSent) throw new Error("the request was already answered")
    this.#sendText(after, { text: before, bytes })
    return this
  }

  /** Marks the response as sent. The caller then writes it to `raw`. */
  hijack(): this {
    this.isSent = true
    return this
  }

  #sendText(text: string, first?: First): void {
    const own = Buffer.byteLength(text)
    const length = first === undefined ? own : Buffer.byteLength(first.text) + first.bytes.length + own
    // Head and body are written at once. Latin 1 is the fastest encoding, and ASCII has the same bytes in it.
    this.#sendWhole(length, text, own === text.length ? "latin1" : "utf8", first)
  }

  #sendWhole(
    length: number | null,
    body?: string | Buffer,
    encoding: BufferEncoding = "utf8",
    first?: First,
  ): void {
    const raw = this.#sendHead(length)
    if (first !== undefined) {
      raw.cork()
      raw.write(first.text)
      raw.write(first.bytes)
    }
    const request = this.request
    this.#bytes = length ?? 0
    request.raw.state.hold(this.#bytes)
    if (!this.closes || request.cut !== null || !isStillComing(request.raw))
      return queueResponse(raw, body, encoding)
    // The whole response is sent first. The body is then drained, because unread bytes would reset the connection.
    if (body === undefined) raw.flushHeaders()
    else raw.write(body, encoding)
    if (first !== undefined) raw.uncork()
    const { socket } = request.raw
    drain(request.raw, () => {
      // Requests after the body stay unread and would reset the connection.
      if (request.raw.complete) socket.pause().destroySoon = () => endGently(socket)
      raw.end()
    })
  }

  /** Writes the head. Throws for an invalid header before anything is sent, so another response is still possible. */
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

/** Whether a response with this status has no Content-Length. RFC 9110 §8.6. */
function hasNoLength(status: number): boolean {
  return status === 204 || status === 304
}
