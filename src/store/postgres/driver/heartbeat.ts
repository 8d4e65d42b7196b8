/**
 * Distinguishes a slow statement from a lost server. If a connection is silent for longer than most statements take, a
 * new connection is opened as a probe. A running server accepts it at once, even under load. A stopped or unreachable
 * server does not. The result is known within two seconds.
 */
import { setImmediate as nextTurn } from "node:timers/promises"
import type { Connection } from "./connection.ts"
import { ConnectionLost, sqlStateOf } from "./postgres-error.ts"

const TICK_MILLISECONDS = 200
const SILENT_MILLISECONDS = 500
const ANSWER_MILLISECONDS = 900

/** A connection that is silent for longer is broken, because every statement of the pool has a shorter time limit. */
const CONNECTION_TIMEOUT_MS = 130_000

type Listeners = { readonly ticked: (now: number) => void; readonly gone: (reason: unknown) => void }

export class Heartbeat {
  readonly #connect: () => Promise<Connection>
  readonly #lent: ReadonlySet<Connection>
  readonly #listeners: Listeners
  #timer: NodeJS.Timeout | null = null
  #isAsking = false
  /** The time of the last successful probe, on the clock of `performance.now()`. */
  #seenAt = 0

  constructor(connect: () => Promise<Connection>, lent: ReadonlySet<Connection>, listeners: Listeners) {
    this.#connect = connect
    this.#lent = lent
    this.#listeners = listeners
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.#tick(), TICK_MILLISECONDS)
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  async #tick(): Promise<void> {
    this.#listeners.ticked(performance.now())
    // This process may have been paused, so answers that have already arrived are read first.
    await nextTurn()
    const now = performance.now()
    let longest = 0
    for (const connection of this.#lent) {
      const silent = connection.silentFor(now)
      if (silent > CONNECTION_TIMEOUT_MS) connection.destroy(new ConnectionLost("no answer came"))
      longest = Math.max(longest, silent)
    }
    const isDue = Math.min(longest, now - this.#seenAt) > SILENT_MILLISECONDS
    if (isDue && !this.#isAsking) await this.#ask(now)
  }

  async #ask(askedAt: number): Promise<void> {
    this.#isAsking = true
    try {
      await this.#answer()
      this.#seenAt = performance.now()
    } catch (error) {
      const isHeard = [...this.#lent].some((connection) => connection.heardAt > askedAt)
      if (isAway(error) && !isHeard) this.#listeners.gone(error)
    } finally {
      this.#isAsking = false
    }
  }

  /** Opens and closes a connection. Throws if that takes too long. */
  async #answer(): Promise<void> {
    const late = Promise.withResolvers<never>()
    const giveUp = () => setImmediate(() => late.reject(new ConnectionLost("no answer in time")))
    const timer = setTimeout(giveUp, ANSWER_MILLISECONDS)
    const asked = this.#connect().then((connection) => connection.end())
    asked.catch(() => undefined)
    try {
      await Promise.race([asked, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}

/**
 * Whether the error means that the server is away. An error with an SQLSTATE proves that the server runs, unless it is
 * starting or stopping.
 */
export function isAway(error: unknown): boolean {
  const state = sqlStateOf(error)
  return state === null || state.startsWith("57P")
}
