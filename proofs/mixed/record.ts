/** Records requests and responses: counts of all requests, and the history of each life for the report of a failure. */

/** Stands for a missing or incomplete response. It is unknown whether the service processed the request. */
const UNKNOWN = "no answer"

const REMEMBERED = 120

/** The requests of one app, person or device, in order. */
export class Life {
  readonly name: string
  readonly #calls: string[] = []

  constructor(name: string) {
    this.name = name
  }

  note(deed: string, begun: number, ended: number, said: string): void {
    this.#calls.push(`${begun.toFixed(0)}–${ended.toFixed(0)} ms ${deed}: ${said}`)
    if (this.#calls.length > REMEMBERED) this.#calls.shift()
  }

  /** Returns an error for a promise that did not hold, with everything that led to it. */
  broken(what: string): Error {
    return new Error(`${this.name}: ${what}\n  ${this.#calls.join("\n  ")}`)
  }
}

/** Times are counted in ten buckets for each doubling. */
const BUCKETS_A_DOUBLING = 10

export class Record {
  readonly #deeds = new Map<string, number>()
  readonly #said = new Map<string, number>()
  readonly #buckets: number[] = []
  answered = 0
  unknown = 0
  /** The number of requests that were not sent, because no server listened. */
  unsent = 0
  slowest = 0

  get requests(): number {
    return this.answered + this.unknown
  }

  /** How often each kind of request was sent. */
  get deeds(): ReadonlyMap<string, number> {
    return this.#deeds
  }

  /** Returns how often a kind of request got this status. Null stands for no response. */
  count(deed: string, status: number | null): number {
    return this.#said.get(`${deed}: ${status}`) ?? 0
  }

  /** Returns how often the outcome is unknown. */
  unheard(deed: string): number {
    return this.count(deed, null) + this.count(deed, 503)
  }

  /** Records a response. `status` is null if none arrived. `said` contains a few words of it. */
  heard(life: Life, deed: string, begun: number, status: number | null, said = ""): void {
    const ended = performance.now()
    life.note(deed, begun, ended, status === null ? UNKNOWN : `${status} ${said}`)
    this.#deeds.set(deed, (this.#deeds.get(deed) ?? 0) + 1)
    this.#said.set(`${deed}: ${status}`, this.count(deed, status) + 1)
    if (status === null) return void this.unknown++
    this.answered++
    const milliseconds = ended - begun
    this.slowest = Math.max(this.slowest, milliseconds)
    const bucket = Math.max(0, Math.round(Math.log2(milliseconds + 1) * BUCKETS_A_DOUBLING))
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1
  }

  /** Starts the measurement of times again. */
  forgetTimes(): void {
    this.#buckets.length = 0
    this.slowest = 0
  }

  /** Returns the time in milliseconds within which this fraction of all responses arrived, such as 0.99. */
  quantile(part: number): number {
    let left = this.#buckets.reduce((sum, count) => sum + count, 0) * part
    let bucket = 0
    while (bucket < this.#buckets.length && (left -= this.#buckets[bucket] ?? 0) > 0) bucket++
    return 2 ** (bucket / BUCKETS_A_DOUBLING) - 1
  }
}
