/**
 * Counts events in memory. Adds the counts to the database once a second, in one change. A killed process loses at most
 * one second of counts. No request waits for a count.
 *
 * While the database is unavailable, counts stay in memory up to a limit and are written later.
 */
import type { ClientId } from "../../kernel/ids.ts"
import { decided } from "../../model/change.rules.ts"
import type { EventKind } from "../../model/event.rules.ts"
import { bucketAt, type Grain, type Tally } from "../../model/tally.rules.ts"
import type { TallyName } from "../../model/tally-names.rules.ts"
import type { DiskState } from "./disk-state.ts"
import type { Store } from "../../store/store.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { Log } from "../../kernel/log.ts"

/** The limits for counts in memory: counts of single apps, and counts that are not stored yet. */
const APP_COUNTS_AT_MOST = 20_000
const UNWRITTEN_AT_MOST = 50_000

const EVERY_MILLISECONDS = 1000

type Needs = {
  readonly store: Pick<Store, "change">
  readonly clock: Clock
  readonly log: Log
  readonly disk: DiskState
}

export class Tallies {
  readonly #needs: Needs
  /** Counts since the last write. */
  #counts = new Map<TallyName, number>()
  #appCounts = new Map<TallyName, Map<ClientId, number>>()
  #appCountsHeld = 0
  /** Counts since the process started. */
  readonly #totals = new Map<TallyName, number>()
  readonly #recorded = new Map<EventKind, number>()
  #unwritten = new Map<string, Tally>()
  #writing: Promise<void> | null = null

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Counts one event. `clientId` must be the id of an existing app, because arbitrary ids would fill the memory. */
  count(name: TallyName, clientId: ClientId | null = null): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    if (clientId !== null) this.#countOf(name, clientId)
  }

  add(name: TallyName, count: number): void {
    if (count > 0) this.#counts.set(name, (this.#counts.get(name) ?? 0) + count)
  }

  /** Counts an event of the audit trail for the metrics. The database has the trail itself. */
  record(kind: EventKind): void {
    this.#recorded.set(kind, this.recorded(kind) + 1)
  }

  /** Returns how many events of the kind this process has recorded. */
  recorded(kind: EventKind): number {
    return this.#recorded.get(kind) ?? 0
  }

  totals(): ReadonlyMap<TallyName, number> {
    const totals = new Map(this.#totals)
    for (const [name, count] of this.#counts) totals.set(name, (totals.get(name) ?? 0) + count)
    return totals
  }

  /** Writes the counts so far. Never rejects. Counts that could not be written are written next time. */
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

  /**
   * Moves the counts into their current buckets. An event that is up to a second old may be counted in the next bucket.
   */
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
    const { store, log, disk } = this.#needs
    const written = this.#unwritten
    this.#unwritten = new Map()
    try {
      await store.change({}, () => decided(null, { change: "tallied", tallies: [...written.values()] }))
      disk.wrote()
    } catch (err) {
      disk.failed(err)
      log.warn({ err }, "counts could not be written; this will be retried")
      const since = this.#unwritten
      this.#unwritten = written
      for (const { grain, at, name, clientId, count } of since.values())
        this.#keep(grain, at, name, clientId, count)
    }
  }
}

/** Starts to write once a second. Returns a function that stops it. */
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
