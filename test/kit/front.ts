/** A front between an API and the service. It passes everything on, and can be slow, silent or broken on demand. */
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

/** A response of the service that is held back until `letGo` is called. */
export type Held = { readonly arrived: Promise<void>; readonly letGo: () => void }

type Held_ = Held & { readonly announce: () => void; readonly gone: Promise<void> }

export class Front {
  readonly #server: Server
  readonly #agent = new Agent({ keepAlive: false })
  readonly #streams = new Set<ServerResponse>()
  readonly #holds: Held_[] = []
  #target: () => string = () => ""
  /** The number of introspections so far. */
  introspections = 0
  /** The number of times that the stream was opened, and the last `Last-Event-ID`. */
  opened = 0
  lastEventId: string | undefined
  /** Closes every connection at once, including streams. */
  isDown = false
  /** Holds back everything that arrives on streams. */
  isSilent = false
  /** If false, responds to streams with 404, as a service without streams does. */
  hasStream = true
  /** The number of next requests that lose their connection without a response. */
  resets = 0

  private constructor(server: Server) {
    this.#server = server
    server.on("request", (request, response) => {
      this.#pass(request, response).catch(() => response.destroy())
    })
  }

  static async open(): Promise<Front> {
    // This time limit is longer than the one that the service announces in its headers.
    const server = createServer({ keepAliveTimeout: 120_000 })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    return new Front(server)
  }

  get url(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  /** Sets the function that returns the target. It is called for each request. */
  leadTo(target: () => string): void {
    this.#target = target
  }

  get streams(): number {
    return this.#streams.size
  }

  /** Holds back the response to the next introspection after the service has sent it. */
  hold(): Held {
    let announce = () => {}
    let letGo = () => {}
    const arrived = new Promise<void>((resolve) => (announce = resolve))
    const gone = new Promise<void>((resolve) => (letGo = resolve))
    const held = { arrived, gone, announce, letGo }
    this.#holds.push(held)
    return held
  }

  /** Breaks every open stream. */
  cutStreams(): void {
    for (const stream of this.#streams) stream.destroy()
  }

  /** Ends every connection and accepts no new ones. */
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
