/** What the lives of a proof share: the servers, the apps, the people, what was asked so far, and what must stay true. */
import { createHash } from "node:crypto"
import { Choice } from "../choice.ts"
import type { Browser } from "../../test/support/browser.ts"
import type { AppIdentity, Listening } from "../../test/support/connect.ts"
import type { Fleet } from "./fleet.ts"
import type { Held } from "./held.ts"
import type { Period } from "./probe.ts"
import { type Life, Record } from "./record.ts"
import type { Unavailable } from "./unavailable.ts"

/** Signed in once; a browser stays signed in whatever happens to the service. */
export type Person = { readonly username: string; readonly browser: Browser }

export type Furniture = {
  readonly people: readonly Person[]
  /** Apps that ask for tokens: public and confidential ones. */
  readonly apps: readonly AppIdentity[]
  /** May ask for a step-up. */
  readonly careful: AppIdentity
  readonly resourceServer: AppIdentity
}

export type Answered = {
  readonly status: number
  readonly headers: Headers
  readonly text?: string
  readonly body?: object
}

/** What must be over for good. */
export type Ended = { readonly accessToken: string; readonly what: string }

/** A server that is not there for longer than this is not coming back. */
const PATIENCE_MILLISECONDS = 90_000
const AWAY_MILLISECONDS = 50
/** The service waits for its database too long: a row that a killed node had locked, or a machine that is too busy. */
const BUSY = 503
const BUSY_MILLISECONDS = 300
/** A token is known by this many bits of its digest: a whole number that a `Set` keeps small. */
const KNOWN_BY_BYTES = 6

export class World {
  readonly fleet: Fleet
  readonly record = new Record()
  readonly seed: number
  readonly furniture: Furniture
  /** The credentials that an app holds. */
  readonly held = new Set<Held>()
  readonly ended: Ended[] = []
  /** Apps that were acknowledged, and not removed. */
  readonly registered: string[] = []
  /** What has to be checked after all lives have finished. */
  readonly atEnd: (() => Promise<void>)[] = []
  /** All apps refresh at once, as often as they can. */
  isStorm = false
  isOver = false
  failure: Error | null = null
  /** Repeats of lost refreshes that came when their minute was over: the proof was too slow to tell. */
  late = 0
  /** When something was done to the servers on purpose, or all apps refreshed at once. */
  readonly disturbed: Period[] = []
  readonly done: string[] = []
  /** Answers that said to come again. */
  readonly busy: Unavailable[] = []
  /** Device grants whose tokens were fetched. */
  fetched = 0
  /** Whether the service may say that it has to be asked again later. */
  readonly mayBeBusy: boolean
  readonly #gapMilliseconds: number
  readonly #known = new Set<number>()
  readonly #waiting = new Map<Life, string>()
  #nextAt = 0
  #lives = 0

  /** `rate`: requests a second, of all lives together. */
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

  /** Something is done to the servers, or to their load: until the answer is called. It is part of the report of a failure. */
  disturb(what: string): () => void {
    const [from, begun] = [Date.now(), performance.now()]
    const period = { from, to: Infinity }
    this.disturbed.push(period)
    return () => {
      period.to = Date.now()
      this.done.push(`${begun.toFixed(0)}–${performance.now().toFixed(0)} ms ${what}`)
    }
  }

  /** Choices of one life, apart from those of the others. */
  choice(): Choice {
    return new Choice(this.seed + ++this.#lives * 0x9e3779b1)
  }

  /** Who waits for an answer, and to what. */
  get waiting(): readonly string[] {
    return [...this.#waiting].map(([life, deed]) => `${life.name}: ${deed}`)
  }

  /**
   * Sends one request to the next server, and answers null where the connection broke before all of the answer was there.
   * Where no server listens it was not sent: it goes to another server, or to the same one a little later. Where the service
   * says that its database keeps it waiting, what became of the request is not known either.
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

  /** Asks until there is an answer: for what may be asked again without harm. */
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

/** What `fetch` throws where a connection is not made, or breaks; anything else is a mistake of the proof. */
function brokenConnection(error: unknown): "unsent" | "unknown" {
  if (!(error instanceof TypeError) || error.cause === undefined) throw error
  return (error.cause as { readonly code?: string }).code === "ECONNREFUSED" ? "unsent" : "unknown"
}
