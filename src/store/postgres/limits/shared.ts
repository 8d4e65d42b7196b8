/**
 * Rate limits that all nodes share, in one unlogged table. Writes to this table need no disk flush. A crash of the
 * server empties it. All nodes sweep it and skip locked rows.
 */
import { DAY } from "../../../kernel/time.ts"
import type { Shared } from "../../limits.ts"
import type { Database } from "../driver/database.ts"
import { Refused } from "./refused.ts"
import { PACE, PaceOfNodes } from "./shared-poll-interval.ts"
import { NOW_MS, SharedWindows } from "./windows.ts"
import type { Parameter } from "../driver/parameter.ts"

const BUDGET = "budget"
const GUESSES = "guesses"

/**
 * The maximum number of rows of one counter, and of each kind of counter against guessing. If there are more, a sweep
 * deletes those that end first.
 */
export const ROWS_AT_MOST = 100_000

/** The maximum number of rows that one statement deletes. */
const TOGETHER = 1000
/** After this many rows, a sweep starts no further statement. */
const IN_ONE_SWEEP = 20_000

/**
 * No window is longer than a day. If a row ends in more than two days, the clock was set back after the row was
 * written.
 */
const FAR_AHEAD_MS = 2 * DAY * 1000

const isOver = `ends_ms <= ${NOW_MS}`
const isFarAhead = `ends_ms > ${NOW_MS} + ${FAR_AHEAD_MS}`

function remove(condition: string): string {
  return `
    DELETE FROM spent WHERE counter = ? AND key = ANY (ARRAY(
      SELECT key FROM spent WHERE counter = ? AND ${condition}
      ORDER BY ends_ms LIMIT ${TOGETHER} FOR UPDATE SKIP LOCKED))
    RETURNING 1`
}

const REMOVE_OVER = remove(isOver)
const REMOVE_FAR_AHEAD = remove(isFarAhead)

/** The SQL of `kindOf`. Only counters against guessing have kinds. */
const KIND = `CASE WHEN counter = '${GUESSES}' AND strpos(key, ':') > 0 THEN split_part(key, ':', 1) ELSE '' END`
const REMOVE_OF_KIND = remove(`${KIND} = ? AND ends_ms <= ?`)

const CLOCK = "SELECT extract(epoch FROM clock_timestamp()) AS now"

const FIRST_TOO_MANY = `
  SELECT counter, kind, ends_ms FROM (
    SELECT counter, ${KIND} AS kind, ends_ms,
      row_number() OVER (PARTITION BY counter, ${KIND} ORDER BY ends_ms DESC) AS place
    FROM spent) AS placed
  WHERE place = ?::bigint + 1`

/**
 * The search for excess rows reads all rows. It therefore runs only in every tenth sweep, or sooner after a large
 * deletion.
 */
const LOOKED_EVERY = 10

/** Creates the shared limits. `nowMs` takes the place of the database's clock. */
export function sharedOn(database: Database, nowMs?: () => number, rowsAtMost = ROWS_AT_MOST): Shared {
  const refused = new Refused(nowMs ?? (() => performance.now()))
  let untilLook = 0
  return {
    budget: new SharedWindows(database, BUDGET, { nowMs, refused }),
    guesses: new SharedWindows(database, GUESSES, { nowMs, refused: null }),
    pollIntervals: new PaceOfNodes(database, nowMs),
    now: async () => {
      const row = await database.read.one<{ now: number }>(CLOCK)
      if (row === null) throw new Error("the database did not return its time")
      return row.now
    },
    sweep: async () => {
      const isLook = untilLook-- <= 0
      const now = nowMs === undefined ? null : Math.floor(nowMs())
      let gone = 0
      for (const counter of [BUDGET, GUESSES, PACE]) {
        gone += await sweep(database, REMOVE_OVER, counter, counter, now)
        gone += await sweep(database, REMOVE_FAR_AHEAD, counter, counter, now)
      }
      for (const { counter, kind, ends_ms: upTo } of isLook ? await firstTooMany(database, rowsAtMost) : [])
        gone += await sweep(database, REMOVE_OF_KIND, counter, counter, kind, upTo)
      if (isLook) untilLook = gone < IN_ONE_SWEEP ? LOOKED_EVERY - 1 : 0
      return gone
    },
  }
}

type TooMany = { readonly counter: string; readonly kind: string; readonly ends_ms: number }

/** Returns the first row that is too many of each counter and kind. */
function firstTooMany({ read }: Database, rowsAtMost: number): Promise<readonly TooMany[]> {
  return read.all<TooMany>(FIRST_TOO_MANY, rowsAtMost)
}

async function sweep({ read }: Database, sql: string, ...values: Parameter[]): Promise<number> {
  let gone = 0
  while (gone < IN_ONE_SWEEP) {
    const rows = await read.all(sql, ...values)
    gone += rows.length
    if (rows.length < TOGETHER) break
  }
  return gone
}
