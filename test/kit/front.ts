/** What stands between an API and the service: passes everything on, and can be slow, deaf or broken on demand. */
import { once } from "node:events"
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as send,
  type Server,
  type ServerResponse,
} from "node:http"
import type { AddressInfo } from "node:net"

const INTROSPECT = "/oauth/introspect"
const STREAM = "/oauth/introspect/stream"

/** An answer of the service that is on its way, kept back until `letGo`. */
export type Held = { readonly arrived: Promise<void>; readonly letGo: () => void }

type Held_ = Held & { readonly announce: () => void; readonly gone: Promise<void> }

export class Front {
  readonly #server: Server
  readonly #agent = new Agent({ keepAlive: false })
  readonly #streams = new Set<ServerResponse>()
  readonly #holds: Held_[] = []
  #target: () => string = () => ""
  /** Questions that came so far. */
  introspections = 0
  /** How often the stream was opened, and with which `Last-Event-ID` last. */
  opened = 0
  lastEventId: string | undefined
  /** Closes every connection at once, the streams' too. */
  isDown = false
  /** Keeps back whatever comes on the streams. */
  isSilent = false
  /** Answers streams with 404, as a service does that has none. */
  hasStream = true
  /** How many of the next requests lose their connection without an answer. */
  resets = 0

  private constructor(server: Server) {
    this.#server = server
    server.on("request", (request, response) => {
      this.#pass(request, response).catch(() => response.destroy())
    })
  }

  static async open(): Promise<Front> {
    // Longer than the service lets those believe to whom its headers are passed on.
    const server = createServer({ keepAliveTimeout: 120_000 })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    return new Front(server)
  }

  get url(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  /** The target, read at each request. */
  leadTo(target: () => string): void {
    this.#target = target
  }

  get streams(): number {
    return this.#streams.size
  }

  /** Keeps back the answer to the next question, once the service has given it. */
  hold(): Held {
    let announce = () => {}
    let letGo = () => {}
    const arrived = new Promise<void>((resolve) => (announce = resolve))
    const gone = new Promise<void>((resolve) => (letGo = resolve))
    const held = { arrived, gone, announce, letGo }
    this.#holds.push(held)
    return held
  }

  /** Breaks every stream that is open. */
  cutStreams(): void {
    for (const stream of this.#streams) stream.destroy()
  }

  /** Ends every connection and accepts no more. */
  goDown(): void {
    this.isDown = true
    this.#server.closeAllConnections()
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    this.#agent.destroy()
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isDown) return void request.socket.destroy()
    const held = this.#note(request)
    if (request.url === INTROSPECT && this.resets > 0) {
      this.resets--
      return void request.socket.destroy()
    }
    if (request.url === STREAM && !this.hasStream) return void response.writeHead(404).end()
    const upstream = await this.#sent(request)
    if (request.url === STREAM) return this.#stream(upstream, response)
    const parts: Buffer[] = []
    for await (const part of upstream) parts.push(part as Buffer)
    held?.announce()
    await held?.gone
    response.writeHead(upstream.statusCode ?? 502, upstream.rawHeaders)
    response.end(Buffer.concat(parts))
  }

  #note({ url, headers }: IncomingMessage): Held_ | undefined {
    if (url === STREAM) {
      this.opened++
      this.lastEventId = headers["last-event-id"] as string | undefined
    }
    if (url !== INTROSPECT) return undefined
    this.introspections++
    return this.#holds.shift()
  }

  async #sent(request: IncomingMessage): Promise<IncomingMessage> {
    const { method, url, rawHeaders } = request
    const target = new URL(url ?? "/", this.#target())
    const upstream = send(target, {
      ...(method !== undefined && { method }),
      headers: rawHeaders,
      agent: this.#agent,
    })
    request.pipe(upstream)
    const [answer] = (await once(upstream, "response")) as [IncomingMessage]
    return answer
  }

  #stream(upstream: IncomingMessage, response: ServerResponse): void {
    response.writeHead(upstream.statusCode ?? 502, upstream.rawHeaders)
    response.flushHeaders()
    this.#streams.add(response)
    response.once("close", () => {
      this.#streams.delete(response)
      upstream.destroy()
    })
    upstream.on("data", (part: Buffer) => this.isSilent || response.write(part))
    upstream.once("end", () => response.end())
    upstream.once("error", () => response.destroy())
  }
}
