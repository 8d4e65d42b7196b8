/**
 * Counting what happens. A count is a number in memory; once a second what was counted is added to the database in one
 * change. A killed process loses the last second of counts, and nothing else ever waits for them.
 *
 * While the database does not take them they are kept, up to a bound, and tried again.
 */
import type { ClientId } from "../kernel/ids.ts"
import { decided } from "../records/change.rules.ts"
import { bucketAt, type Grain, type Tally } from "../records/tally.rules.ts"
import type { TallyName } from "../records/tally-names.rules.ts"
import type { Store } from "../store/store.ts"
import type { Clock } from "../kernel/clock.ts"
import type { Log } from "../kernel/log.ts"

/** The most that is kept in memory: counts of single apps, and counts that the database has yet to take. */
const APP_COUNTS_AT_MOST = 20_000
const UNWRITTEN_AT_MOST = 50_000

const EVERY_MILLISECONDS = 1000

type Needs = { readonly store: Pick<Store, "change">; readonly clock: Clock; readonly log: Log }

export class Tallies {
  readonly #needs: Needs
  /** Since the last round. */
  #counts = new Map<TallyName, number>()
  #appCounts = new Map<TallyName, Map<ClientId, number>>()
  #appCountsHeld = 0
  /** Since the process began. */
  readonly #totals = new Map<TallyName, number>()
  #unwritten = new Map<string, Tally>()
  #writing: Promise<void> | null = null

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Counts one. `clientId` is that of an app that is known to exist: a stranger's text would fill the memory. */
  count(name: TallyName, clientId: ClientId | null = null): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    if (clientId !== null) this.#countOf(name, clientId)
  }

  /** Adds a figure that was looked at. */
  add(name: TallyName, count: number): void {
    if (count > 0) this.#counts.set(name, (this.#counts.get(name) ?? 0) + count)
  }

  /** How often each thing happened since the process began. */
  totals(): ReadonlyMap<TallyName, number> {
    const totals = new Map(this.#totals)
    for (const [name, count] of this.#counts) totals.set(name, (totals.get(name) ?? 0) + count)
    return totals
  }

  /** Writes what was counted until now. Never rejects: what was not taken is written with the next round. */
  async flush(): Promise<void> {
    while (this.#writing !== null) await this.#writing
    this.#collect()
    if (this.#unwritten.size === 0) return
    this.#writing = this.#write().finally(() => {
      this.#writing = null
    })
    await this.#writing
  }

  #countOf(name: TallyName, clientId: ClientId): void {
    let byApp = this.#appCounts.get(name)
    if (byApp === undefined) this.#appCounts.set(name, (byApp = new Map()))
    const count = byApp.get(clientId)
    if (count === undefined && ++this.#appCountsHeld > APP_COUNTS_AT_MOST) return
    byApp.set(clientId, (count ?? 0) + 1)
  }

  /** Puts what was counted into its buckets: those of now, at most a second late. */
  #collect(): void {
    const now = this.#needs.clock.now()
    for (const [name, count] of this.#counts) {
      this.#totals.set(name, (this.#totals.get(name) ?? 0) + count)
      this.#keep("minute", now, name, null, count)
      this.#keep("hour", now, name, null, count)
    }
    for (const [name, byApp] of this.#appCounts)
      for (const [clientId, count] of byApp) this.#keep("day", now, name, clientId, count)
    this.#counts = new Map()
    this.#appCounts = new Map()
    this.#appCountsHeld = 0
  }

  #keep(grain: Grain, now: number, name: string, clientId: ClientId | null, count: number): void {
    const at = bucketAt(grain, now)
    const key = `${grain} ${at} ${name} ${clientId ?? ""}`
    const known = this.#unwritten.get(key)
    if (known === undefined && this.#unwritten.size >= UNWRITTEN_AT_MOST) return
    this.#unwritten.set(key, { grain, at, name, clientId, count: (known?.count ?? 0) + count })
  }

  async #write(): Promise<void> {
    const { store, log } = this.#needs
    const written = this.#unwritten
    this.#unwritten = new Map()
    try {
      await store.change({}, () => decided(null, { change: "tallied", tallies: [...written.values()] }))
    } catch (err) {
      log.warn({ err }, "counts could not be written; they are tried again")
      const since = this.#unwritten
      this.#unwritten = written
      for (const { grain, at, name, clientId, count } of since.values())
        this.#keep(grain, at, name, clientId, count)
    }
  }
}

/** Starts writing once a second; the answer stops it. */
export function startTallying(tallies: Tallies): () => void {
  let timer: NodeJS.Timeout
  let isOver = false
  const next = () => {
    if (!isOver) timer = setTimeout(() => void tallies.flush().then(next), EVERY_MILLISECONDS).unref()
  }
  next()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
