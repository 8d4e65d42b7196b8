/**
 * The service's event stream: opened at the first check, opened again with growing pauses whenever it ends. While it
 * tells of every change, answers may be kept; the moment it does not, they may not.
 */
import type { Clock } from "./clock.ts"
import { EventParser, type StreamEvent } from "./event-parser.ts"
import type { Invalidation } from "./invalidation.ts"
import { type Service, Unanswered } from "./service.ts"

export type Listener = {
  readonly invalidated: (invalidation: Invalidation) => void
  /** Changes were missed: whatever is kept may be stale. */
  readonly missed: () => void
}

/** The service says something at least every ten seconds. A stream that is silent for this long is not connected. */
const SILENCE_MILLISECONDS = 25_000
const LOOKED_EVERY_MILLISECONDS = 1000

const FIRST_PAUSE_MILLISECONDS = 100
const LONGEST_PAUSE_MILLISECONDS = 10_000

export class InvalidationStream {
  readonly #service: Service
  readonly #clock: Clock
  readonly #listener: Listener
  readonly #end = new AbortController()
  #isStarted = false
  /** How often the stream became whole; null while it is not. */
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

  /** A number for as long as every change is heard of; another number after any time when it was not. */
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

  /** One connection, until it ends or says nothing any more. */
  async #listen(connection: AbortController): Promise<void> {
    this.#heardAt = this.#clock.monotonic()
    const watch = setInterval(() => this.#isSilent() && connection.abort(), LOOKED_EVERY_MILLISECONDS)
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
        throw new Unanswered(response.status)
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
      if (this.#isSilent()) throw new Error("the stream said nothing for too long")
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

  /** What was missed while there was no connection has come by now. */
  #ready(): void {
    if (this.#lastId === null) this.#listener.missed()
    this.#failures = 0
    this.#session = ++this.#sessions
  }

  #isSilent(): boolean {
    return this.#clock.monotonic() - this.#heardAt >= SILENCE_MILLISECONDS
  }

  /** Twice as long each time, less a random part, so that the APIs of one service do not all come back at once. */
  #pause(): Promise<void> {
    const longest = Math.min(LONGEST_PAUSE_MILLISECONDS, FIRST_PAUSE_MILLISECONDS * 2 ** this.#failures++)
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
  return cause instanceof Unanswered ? cause.status : null
}

const MEMBERS = { credential: "token_id", client: "client_id", account: "user_id" } as const

/** Null for what this version does not know: a later service may tell of more, and then anything may be stale. */
function readInvalidation(event: string, data: string): Invalidation | null {
  if (event !== "credential" && event !== "client" && event !== "account") return null
  try {
    const id = (JSON.parse(data) as Record<string, unknown>)[MEMBERS[event]]
    return typeof id === "string" ? { of: event, id } : null
  } catch {
    return null
  }
}

/** A pause keeps no program running. Only Node's timers have to be told. */
function unref(timer: unknown): void {
  const { unref: let_ } = timer as { unref?: () => void }
  let_?.call(timer)
}
