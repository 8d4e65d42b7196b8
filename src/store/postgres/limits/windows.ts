/**
 * Rate limit windows that all nodes share (`Windows` in store.ts), with the rule `admit` of src/kernel/rate-limit.ts.
 *
 * 1. All `spend` calls of one turn of the event loop share one statement, with a row for each key. A row asks for a
 * count and gets as much as the limit still allows. The statement is a transaction of its own, so its row locks are
 * short.
 * 2. `spendAll` with several counters takes two statements. The first statement locks the rows. The rule then decides
 * in this process, and the second statement writes the result.
 * 3. Rows are always locked in the order of their keys, so there are no deadlocks.
 */
import {
  admit,
  AHEAD_AT_MOST_MS,
  type Admission,
  type Budget,
  type Window,
} from "../../../kernel/rate-limit.ts"
import type { Counter, Spent, SpentAll, Windows } from "../../limits.ts"
import { Batch } from "../batching/batch.ts"
import type { Database } from "../driver/database.ts"
import type { Refused } from "./refused.ts"
import { textWithoutNul } from "../driver/without-nul.ts"

const msOf = (clock: string) => `coalesce(?::bigint, floor(extract(epoch FROM ${clock}) * 1000)::bigint)`

/** The time of a statement in milliseconds. It comes from the database, unless a parameter replaces it. */
export const NOW_MS = msOf("statement_timestamp()")

/** The time after a row was locked. `NOW_MS` may be earlier than the start of the window. */
const LOCKED_MS = msOf("clock_timestamp()")

/** Whether the stored window has ended. `s` is the row of the window. `excluded` is a window that would start now. */
const IS_OVER = `(s.admitted = 0
  OR excluded.started_ms - s.started_ms >= excluded.ends_ms - excluded.started_ms
  OR s.started_ms - excluded.started_ms > ${AHEAD_AT_MOST_MS})`

const GRANTED = `CASE WHEN ${IS_OVER} THEN excluded.granted
  ELSE greatest(0, least(excluded.granted, excluded.most - s.admitted)) END`

const asked = `
  INSERT INTO spent AS s (counter, key, started_ms, ends_ms, most, admitted, granted)
  SELECT ?, key, now_ms, now_ms + lasts_ms, most, asked, asked
  FROM unnest(?::text[], ?::bigint[], ?::integer[], ?::integer[]) AS a (key, lasts_ms, most, asked),
       (SELECT ${NOW_MS} AS now_ms) AS clock
  ORDER BY key COLLATE "C"
  ON CONFLICT (counter, key) DO UPDATE SET`

const SPEND = `${asked}
    started_ms = CASE WHEN ${IS_OVER} THEN excluded.started_ms ELSE s.started_ms END,
    ends_ms = CASE WHEN ${IS_OVER} THEN excluded.ends_ms ELSE s.ends_ms END,
    most = excluded.most,
    granted = ${GRANTED},
    admitted = CASE WHEN ${IS_OVER} THEN excluded.admitted ELSE s.admitted + ${GRANTED} END
  RETURNING key, started_ms, admitted, granted, ${LOCKED_MS} AS now_ms`

/** Locks and returns the rows. Inserts missing rows. A row with 0 admitted requests has no window. */
const LOCK = `${asked} most = excluded.most
  RETURNING key, started_ms, admitted, granted, ${LOCKED_MS} AS now_ms`

const WRITE = `
  UPDATE spent SET started_ms = u.started_ms, ends_ms = u.started_ms + u.lasts_ms, admitted = u.admitted
  FROM unnest(?::text[], ?::bigint[], ?::bigint[], ?::integer[]) AS u (key, started_ms, lasts_ms, admitted)
  WHERE spent.counter = ? AND spent.key = u.key`

/** Takes back counted requests, unless a new window has started since then. */
const GIVE_BACK = `
  UPDATE spent SET admitted = greatest(0, admitted - locked.given)
  FROM (
    SELECT s.counter, s.key, g.given
    FROM unnest(?::text[], ?::bigint[], ?::integer[]) AS g (key, started_ms, given)
    JOIN spent AS s ON s.counter = ? AND s.key = g.key AND s.started_ms = g.started_ms
    ORDER BY s.key FOR UPDATE OF s
  ) AS locked
  WHERE spent.counter = locked.counter AND spent.key = locked.key`

const FORGET = "DELETE FROM spent WHERE counter = ? AND starts_with(key, ?)"

type Row = {
  readonly key: string
  readonly started_ms: number
  readonly admitted: number
  readonly granted: number
  readonly now_ms: number
}

export class SharedWindows implements Windows {
  readonly #database: Database
  readonly #counter: string
  readonly #nowMs: (() => number) | undefined
  readonly #refused: Refused | null
  readonly #spends: Batch<Counter, Admission>
  readonly #spendAlls: Batch<readonly Counter[], SpentAll>
  readonly #givesBack: Batch<readonly Spent[], null>

  /** `refused` caches refusals. Counts must never be taken back, so that a full window stays full. */
  constructor(
    database: Database,
    counter: string,
    { nowMs, refused }: { readonly nowMs: (() => number) | undefined; readonly refused: Refused | null },
  ) {
    this.#database = database
    this.#counter = counter
    this.#nowMs = nowMs
    this.#refused = refused
    this.#spends = new Batch((asks) => this.#spend(asks))
    this.#spendAlls = new Batch((asks) => this.#spendAll(asks))
    this.#givesBack = new Batch((asks) => this.#giveBack(asks.flat()))
  }

  spend(text: string, limit: Budget): Admission | Promise<Admission> {
    const key = textWithoutNul(text)
    return this.#refused?.find(key, limit) ?? this.#spends.ask({ key, limit })
  }

  async spendAll(named: readonly Counter[]): Promise<SpentAll> {
    const counters = named.map(({ key, limit }) => ({ key: textWithoutNul(key), limit }))
    const [only, ...others] = counters
    if (only === undefined || others.length > 0) return this.#spendAlls.ask(counters)
    const admission = await this.#spends.ask(only)
    return admission.admitted ? this.#all([{ key: only.key, ...admission.window }]) : admission
  }

  async forget(prefix: string): Promise<void> {
    this.#refused?.forget(prefix)
    await this.#database.read.all(FORGET, this.#counter, prefix)
  }

  async #spend(asks: readonly Counter[]): Promise<readonly Admission[]> {
    const askedAt = this.#refused?.now() ?? 0
    const keys = new Map<string, { readonly limit: Budget; count: number }>()
    for (const { key, limit } of asks) {
      const known = keys.get(key)
      if (known === undefined) keys.set(key, { limit, count: 1 })
      else known.count++
    }
    const now = this.#now()
    const rows = await this.#database.read.all<Row>(
      SPEND,
      this.#counter,
      [...keys.keys()],
      [...keys.values()].map(({ limit }) => limit.seconds * 1000),
      [...keys.values()].map(({ limit }) => limit.requests),
      [...keys.values()].map(({ limit, count }) => Math.min(count, limit.requests)),
      now,
      now,
    )
    const left = new Map(rows.map((row) => [row.key, { ...row, left: row.granted }]))
    return asks.map(({ key, limit }) => {
      const row = left.get(key)
      if (row === undefined) throw new Error("the statement did not return the window")
      const { started_ms: startedMs, now_ms: nowMs } = row
      if (row.left > 0) {
        row.left--
        return { admitted: true, window: { startedMs, admitted: row.admitted - row.left } }
      }
      const leftMs = Math.max(1, startedMs + limit.seconds * 1000 - nowMs)
      this.#refused?.keep(key, limit, askedAt + leftMs)
      return { admitted: false, retryAfterSeconds: Math.ceil(leftMs / 1000) }
    })
  }

  #spendAll(asks: readonly (readonly Counter[])[]): Promise<readonly SpentAll[]> {
    const limits = new Map(asks.flat().map(({ key, limit }) => [key, limit]))
    const counters = [...limits].map(([key, limit]) => ({ key, limit }))
    const now = this.#now()
    return this.#database.write(async (writer) => {
      const rows = await writer.all<Row>(
        LOCK,
        this.#counter,
        counters.map(({ key }) => key),
        counters.map(({ limit }) => limit.seconds * 1000),
        counters.map(({ limit }) => limit.requests),
        counters.map(() => 0),
        now,
        now,
      )
      // The time when the last row was locked. All other rows were locked earlier.
      const nowMs = rows.at(-1)?.now_ms ?? 0
      const windows = new Map<string, Window>()
      for (const { key, started_ms: startedMs, admitted } of rows)
        if (admitted > 0) windows.set(key, { startedMs, admitted })
      const answers = asks.map((all) => this.#spendIn(windows, all, nowMs))
      const written = [...windows]
      await writer.run(
        WRITE,
        written.map(([key]) => key),
        written.map(([, { startedMs }]) => startedMs),
        written.map(([key]) => (limits.get(key)?.seconds ?? 0) * 1000),
        written.map(([, { admitted }]) => admitted),
        this.#counter,
      )
      return answers
    })
  }

  /** Counts one request for every counter. If one counter refuses, none is increased. */
  #spendIn(windows: Map<string, Window>, all: readonly Counter[], nowMs: number): SpentAll {
    const spent = new Map<string, Window>()
    for (const { key, limit } of all) {
      const admission = admit(spent.get(key) ?? windows.get(key), limit, nowMs)
      if (!admission.admitted) return admission
      spent.set(key, admission.window)
    }
    for (const [key, window] of spent) windows.set(key, window)
    return this.#all(all.map(({ key }) => ({ key, startedMs: 0, admitted: 0, ...spent.get(key) })))
  }

  async giveBack(spent: readonly Spent[]): Promise<void> {
    await this.#givesBack.ask(spent.map(({ key, startedMs }) => ({ key: textWithoutNul(key), startedMs })))
  }

  #all(windows: readonly (Spent & Window)[]): SpentAll {
    const spent = windows.map(({ key, startedMs }) => ({ key, startedMs }))
    const counts = windows.map(({ admitted }) => admitted)
    let isGivenBack = false
    const giveBack = async () => {
      if (isGivenBack) return
      isGivenBack = true
      await this.#givesBack.ask(spent)
    }
    return { admitted: true, counts, spent, giveBack }
  }

  async #giveBack(asks: readonly Spent[]): Promise<readonly null[]> {
    const sums = new Map<string, { readonly given: Spent; count: number }>()
    for (const given of asks) {
      const known = sums.get(`${given.startedMs} ${given.key}`)
      if (known === undefined) sums.set(`${given.startedMs} ${given.key}`, { given, count: 1 })
      else known.count++
    }
    const all = [...sums.values()]
    await this.#database.read.all(
      GIVE_BACK,
      all.map(({ given }) => given.key),
      all.map(({ given }) => given.startedMs),
      all.map(({ count }) => count),
      this.#counter,
    )
    return asks.map(() => null)
  }

  #now(): number | null {
    return this.#nowMs === undefined ? null : Math.floor(this.#nowMs())
  }
}
