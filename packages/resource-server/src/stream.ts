/**
 * Reads the event stream of the service. It connects at the first check and reconnects with growing pauses. Responses
 * are cached only while the stream reports every change.
 */
import type { Clock } from "./clock.ts"
import { EventParser, type StreamEvent } from "./event-parser.ts"
import type { Invalidation } from "./invalidation.ts"
import { type Service, UnexpectedStatus } from "./service.ts"

export type Listener = {
  readonly invalidated: (invalidation: Invalidation) => void
  /** Called if changes were missed. Every cached response may then be stale. */
  readonly missed: () => void
}

/**
 * If no data arrives for this long, the connection counts as lost. The service sends data at least every ten seconds.
 */
const SILENCE_MS = 25_000
const CHECK_INTERVAL_MS = 1000

const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 10_000

export class InvalidationStream {
  readonly #service: Service
  readonly #clock: Clock
  readonly #listener: Listener
  readonly #end = new AbortController()
  #isStarted = false
  /** The number of the current connection. The value is null while disconnected. */
  #session: number | null = null
  #sessions = 0
  #lastId: string | null = null
  #heardAt = 0
  #failures = 0

  constructor(service: Service, clock: Clock, listener: Listener) {
    this.#service = service
    this.#clock = clock
    this.#listener = listener
  }

  /**
   * A number while the stream reports every change, and null during an interruption. Each connection has a new number.
   */
  get session(): number | null {
    return this.#session !== null && this.#isSilent() ? null : this.#session
  }

  start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    void this.#run()
  }

  close(): void {
    this.#isStarted = true
    this.#session = null
    this.#end.abort()
  }

  async #run(): Promise<void> {
    while (!this.#end.signal.aborted) {
      const connection = new AbortController()
      const endBoth = () => connection.abort()
      this.#end.signal.addEventListener("abort", endBoth)
      try {
        await this.#listen(connection)
      } catch (cause) {
        if (!this.#end.signal.aborted) this.#service.report({ of: "stream", status: statusOf(cause), cause })
      }
      this.#end.signal.removeEventListener("abort", endBoth)
      connection.abort()
      this.#session = null
      if (!this.#end.signal.aborted) await this.#pause()
    }
  }

  /** Reads one connection until it ends or becomes silent. */
  async #listen(connection: AbortController): Promise<void> {
    this.#heardAt = this.#clock.monotonic()
    const watch = setInterval(() => this.#isSilent() && connection.abort(), CHECK_INTERVAL_MS)
    unref(watch)
    try {
      const response = await this.#service.fetch(`${this.#service.issuer}/oauth/introspect/stream`, {
        headers: {
          authorization: this.#service.authorization,
          accept: "text/event-stream",
          ...(this.#lastId !== null && { "last-event-id": this.#lastId }),
        },
        redirect: "error",
        signal: connection.signal,
      })
      if (response.status !== 200 || response.body === null) {
        await response.body?.cancel()
        throw new UnexpectedStatus(response.status)
      }
      await this.#read(response.body.getReader())
    } finally {
      clearInterval(watch)
    }
  }

  async #read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const parser = new EventParser()
    const decoder = new TextDecoder()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      if (this.#isSilent()) throw new Error("the stream was silent for too long")
      this.#heardAt = this.#clock.monotonic()
      for (const event of parser.take(decoder.decode(value, { stream: true }))) this.#take(event)
    }
  }

  #take({ id, event, data }: StreamEvent): void {
    if (event === "ready") this.#ready()
    else if (event === "reset") this.#listener.missed()
    else {
      const invalidation = readInvalidation(event, data)
      if (invalidation !== null) this.#listener.invalidated(invalidation)
      else this.#listener.missed()
    }
    if (id !== null) this.#lastId = id
  }

  /** The service sends `ready` after all missed changes. If the kit sent no last id, it cannot know what it missed. */
  #ready(): void {
    if (this.#lastId === null) this.#listener.missed()
    this.#failures = 0
    this.#session = ++this.#sessions
  }

  #isSilent(): boolean {
    return this.#clock.monotonic() - this.#heardAt >= SILENCE_MS
  }

  /**
   * Waits before the next attempt. The pause doubles after each failure. A random part prevents many APIs from
   * reconnecting at the same moment.
   */
  #pause(): Promise<void> {
    const longest = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures++)
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#end.signal.removeEventListener("abort", done)
        resolve()
      }
      const timer = setTimeout(done, longest * (0.5 + Math.random() / 2))
      unref(timer)
      this.#end.signal.addEventListener("abort", done)
    })
  }
}

function statusOf(cause: unknown): number | null {
  return cause instanceof UnexpectedStatus ? cause.status : null
}

const MEMBERS = { credential: "token_id", client: "client_id", account: "user_id" } as const

/**
 * Reads an event. Returns null for an event that only a later version knows. Every cached response may then be stale.
 */
function readInvalidation(event: string, data: string): Invalidation | null {
  if (event !== "credential" && event !== "client" && event !== "account") return null
  try {
    const id = (JSON.parse(data) as Record<string, unknown>)[MEMBERS[event]]
    return typeof id === "string" ? { of: event, id } : null
  } catch {
    return null
  }
}

/** Lets the process exit although the timer is set. Only timers of Node have `unref`. */
function unref(timer: unknown): void {
  const { unref: let_ } = timer as { unref?: () => void }
  let_?.call(timer)
}
