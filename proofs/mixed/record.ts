/** What was asked and what was heard: counts of all requests, and the history of each life for the report of a failure. */

/** No answer came, or not all of it: whether the service did it is not known. */
const UNKNOWN = "no answer"

const REMEMBERED = 120

/** What one app, person or machine asked, in its order. */
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

  /** The promise that did not hold, with all that led to it. */
  broken(what: string): Error {
    return new Error(`${this.name}: ${what}\n  ${this.#calls.join("\n  ")}`)
  }
}

/** Ten buckets for each doubling of the time. */
const BUCKETS_A_DOUBLING = 10

export class Record {
  readonly #deeds = new Map<string, number>()
  readonly #said = new Map<string, number>()
  readonly #buckets: number[] = []
  answered = 0
  unknown = 0
  /** No server listened there, so nothing was done. */
  unsent = 0
  slowest = 0

  get requests(): number {
    return this.answered + this.unknown
  }

  /** How often each kind of request was made. */
  get deeds(): ReadonlyMap<string, number> {
    return this.#deeds
  }

  /** How often a kind of request was answered with this status; null, not at all. */
  count(deed: string, status: number | null): number {
    return this.#said.get(`${deed}: ${status}`) ?? 0
  }

  /** How often it is not known what became of it. */
  unheard(deed: string): number {
    return this.count(deed, null) + this.count(deed, 503)
  }

  /** `status` is null where no answer came; `said` are a few words of it. */
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

  /** The time within which this part of all answers came, in milliseconds: 0.99. */
  quantile(part: number): number {
    let left = this.#buckets.reduce((sum, count) => sum + count, 0) * part
    let bucket = 0
    while (bucket < this.#buckets.length && (left -= this.#buckets[bucket] ?? 0) > 0) bucket++
    return 2 ** (bucket / BUCKETS_A_DOUBLING) - 1
  }
}
