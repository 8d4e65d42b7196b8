/**
 * Tells a slow statement from a server that is gone. While a connection is silent for longer than most statements take,
 * another one is opened and asked for an answer: a server that is there gives one, whatever it is busy with; one that was
 * stopped or cut off does not, and then nobody waits for it any longer.
 */
import type { Connection } from "./connection.ts"
import { ConnectionLost, sqlStateOf } from "./postgres-error.ts"

const TICK_MILLISECONDS = 200
const SILENT_MILLISECONDS = 500
const ANSWER_MILLISECONDS = 900

/** No statement of ours is let run this long by the server; a connection that is silent for longer is broken. */
const HOPELESS_MILLISECONDS = 130_000

type Told = { readonly ticked: (now: number) => void; readonly gone: (reason: unknown) => void }

export class Heartbeat {
  readonly #connect: () => Promise<Connection>
  readonly #lent: ReadonlySet<Connection>
  readonly #told: Told
  #timer: NodeJS.Timeout | null = null
  #isAsking = false

  constructor(connect: () => Promise<Connection>, lent: ReadonlySet<Connection>, told: Told) {
    this.#connect = connect
    this.#lent = lent
    this.#told = told
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#tick(), TICK_MILLISECONDS)
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  #tick(): void {
    const now = performance.now()
    this.#told.ticked(now)
    let longest = 0
    for (const connection of this.#lent) {
      const silent = connection.silentFor(now)
      if (silent > HOPELESS_MILLISECONDS) connection.destroy(new ConnectionLost("no answer came"))
      longest = Math.max(longest, silent)
    }
    if (longest > SILENT_MILLISECONDS && !this.#isAsking) void this.#ask()
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    try {
      await answerOf(this.#connect)
    } catch (error) {
      if (isAway(error)) this.#told.gone(error)
    } finally {
      this.#isAsking = false
    }
  }
}

async function answerOf(connect: () => Promise<Connection>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new ConnectionLost("no answer in time")), ANSWER_MILLISECONDS)
  const asked = connect().then((connection) => connection.end())
  asked.catch(() => undefined)
  try {
    await Promise.race([asked, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Whatever the server says itself it says because it is there, but that it is starting or stopping. */
function isAway(error: unknown): boolean {
  const state = sqlStateOf(error)
  return state === null || state.startsWith("57P")
}
