/**
 * What the lives of a proof share: the servers, the apps, the people, all requests so far, and the promises to check.
 */
import { createHash } from "node:crypto"
import { Choice } from "../choice.ts"
import type { Browser } from "../../test/support/browser.ts"
import type { AppIdentity, Listening } from "../../test/support/connect.ts"
import type { Fleet } from "./fleet.ts"
import type { Held } from "./held.ts"
import type { Period } from "./probe.ts"
import { type Life, Record } from "./record.ts"
import type { Unavailable } from "./unavailable.ts"

/** A person who has signed in once. The browser stays signed in, whatever happens to the service. */
export type Person = { readonly username: string; readonly browser: Browser }

export type Furniture = {
  readonly people: readonly Person[]
  /** The apps that request tokens. Some are public and some are confidential. */
  readonly apps: readonly AppIdentity[]
  /** An app that may ask for a step-up. */
  readonly careful: AppIdentity
  readonly resourceServer: AppIdentity
}

export type Answered = {
  readonly status: number
  readonly headers: Headers
  readonly text?: string
  readonly body?: object
}

/** Something that has ended permanently. */
export type Ended = { readonly accessToken: string; readonly what: string }

/** A server that has been away for longer than this does not come back. */
const PATIENCE_MILLISECONDS = 90_000
const AWAY_MILLISECONDS = 50
/**
 * The status if the service waited too long for its database. A killed node may have locked a row, or the machine may
 * be busy.
 */
const BUSY = 503
const BUSY_MILLISECONDS = 300
/** A token is identified by this many bytes of its digest, as a whole number that a `Set` stores compactly. */
const KNOWN_BY_BYTES = 6

export class World {
  readonly fleet: Fleet
  readonly record = new Record()
  readonly seed: number
  readonly furniture: Furniture
  /** The credentials that apps hold. */
  readonly held = new Set<Held>()
  readonly ended: Ended[] = []
  /** Apps whose registration was acknowledged and that were not removed. */
  readonly registered: string[] = []
  /** Checks that run after all lives have finished. */
  readonly atEnd: (() => Promise<void>)[] = []
  /** Whether all apps refresh at once, as often as they can. */
  isStorm = false
  isOver = false
  failure: Error | null = null
  /** The number of refreshes that were repeated after their grace period. They do not test a lost response. */
  late = 0
  /** The periods in which servers were disturbed on purpose, or all apps refreshed at once. */
  readonly disturbed: Period[] = []
  readonly done: string[] = []
  /** Responses that asked to try again. */
  readonly busy: Unavailable[] = []
  /** The number of device grants whose tokens were fetched. */
  fetched = 0
  /** Whether the service may ask clients to try again later. */
  readonly mayBeBusy: boolean
  readonly #gapMilliseconds: number
  readonly #known = new Set<number>()
  readonly #waiting = new Map<Life, string>()
  #nextAt = 0
  #lives = 0

  /** `rate` is the number of requests per second of all lives together. */
  constructor(
    fleet: Fleet,
    furniture: Furniture,
    { seed, rate }: { readonly seed: number; readonly rate: number },
  ) {
    this.fleet = fleet
    this.furniture = furniture
    this.seed = seed
    this.mayBeBusy = fleet.database.engine === "postgres"
    this.#gapMilliseconds = 1000 / rate
  }

  get isEnough(): boolean {
    return this.isOver || this.failure !== null
  }

  /**
   * Begins a period in which servers or their load are disturbed. Calling the returned function ends it. The report of
   * a failure includes it.
   */
  disturb(what: string): () => void {
    const [from, begun] = [Date.now(), performance.now()]
    const period = { from, to: Infinity }
    this.disturbed.push(period)
    return () => {
      period.to = Date.now()
      this.done.push(`${begun.toFixed(0)}–${performance.now().toFixed(0)} ms ${what}`)
    }
  }

  /** Returns choices for one life, independent of those for other lives. */
  choice(): Choice {
    return new Choice(this.seed + ++this.#lives * 0x9e3779b1)
  }

  /** The lives that wait for a response. Each entry names the request. */
  get waiting(): readonly string[] {
    return [...this.#waiting].map(([life, deed]) => `${life.name}: ${deed}`)
  }

  /**
   * Sends one request to the next server. If no server listens, the request is sent again to another server, or to the
   * same server a little later. Returns null if the outcome is unknown. The connection broke before the whole response
   * arrived, or the database kept the service waiting.
   */
  async ask<T extends Answered>(
    life: Life,
    deed: string,
    send: (at: Listening) => Promise<T>,
  ): Promise<T | null> {
    await this.#turn()
    this.#waiting.set(life, deed)
    const end = performance.now() + PATIENCE_MILLISECONDS
    try {
      for (;;) {
        const begun = performance.now()
        const at = this.fleet.isThere ? this.fleet.next() : null
        const answer = at === null ? "unsent" : await send(at).catch(brokenConnection)
        if (answer === "unsent" && performance.now() < end) {
          if (at !== null) this.record.unsent++
          await pause(AWAY_MILLISECONDS)
          continue
        }
        if (typeof answer === "string") {
          this.record.heard(life, deed, begun, null)
          await pause(AWAY_MILLISECONDS / 2)
          return null
        }
        this.record.heard(life, deed, begun, answer.status, errorIn(answer))
        if (answer.status === BUSY && this.mayBeBusy) {
          const requestId = answer.headers.get("x-request-id") ?? ""
          this.busy.push({ requestId, at: Date.now(), deed })
          await pause(BUSY_MILLISECONDS)
          return null
        }
        if (answer.status >= 500) throw life.broken(`${deed} was answered ${answer.status}`)
        return answer
      }
    } finally {
      this.#waiting.delete(life)
    }
  }

  /** Sends a request until there is a response. The request must be harmless to repeat. */
  async surely<T extends Answered>(
    life: Life,
    deed: string,
    send: (at: Listening) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const answer = await this.ask(life, deed, send)
      if (answer !== null) return answer
      if (this.failure !== null) throw this.failure
    }
  }

  /** Records a new token. Throws if the same token was issued before. */
  newToken(life: Life, token: string): void {
    const known = createHash("sha256").update(token).digest().readUIntBE(0, KNOWN_BY_BYTES)
    if (this.#known.has(known)) throw life.broken("was given a token that another app holds")
    this.#known.add(known)
  }

  async #turn(): Promise<void> {
    if (this.isStorm) return
    const now = performance.now()
    this.#nextAt = Math.max(now, this.#nextAt + this.#gapMilliseconds)
    if (this.#nextAt > now + 1) await pause(this.#nextAt - now)
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

function errorIn({ body }: Answered): string {
  return body !== undefined && "error" in body ? JSON.stringify(body.error) : ""
}

/** Recognizes the errors of `fetch` for a connection that fails. Any other error is a mistake in the proof. */
function brokenConnection(error: unknown): "unsent" | "unknown" {
  if (!(error instanceof TypeError) || error.cause === undefined) throw error
  return (error.cause as { readonly code?: string }).code === "ECONNREFUSED" ? "unsent" : "unknown"
}
