/** Counts the entries of an index in pieces. Each piece is short enough not to delay requests. */
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises"
import type { Value } from "../../codecs/value.ts"
import type { Connection } from "./connection.ts"

/** Runs `body` on one consistent view. Requests can run between two views. */
export type View = <T>(body: (connection: Connection) => T) => Promise<T>

const PIECE_MILLISECONDS = 2
const FEWEST_ENTRIES = 250
const MOST_ENTRIES = 50_000

/** Pauses between two pieces. `milliseconds` is how long the previous piece took. */
export type Rest = (milliseconds: number) => Promise<unknown>

/** Waits for one turn of the event loop. Used if a caller waits for the count. */
export const yieldBriefly: Rest = () => nextTurn()

/** Pauses four times as long as the piece took. Counting then takes only a fifth of the time. */
export const yieldGenerously: Rest = (milliseconds) => pause(4 * milliseconds, undefined, { ref: false })

/**
 * Two statements that read an index in its order. Both take `values` and the last counted key. `skip` also takes the
 * number of entries to skip.
 */
export type Counted = {
  /** Returns the `key` after the skipped entries. Skipping an entry takes less time than reading it. */
  readonly skip: string
  /** Returns the `count` of the remaining entries. */
  readonly rest: string
  readonly values: readonly Value[]
  /** This value sorts before every key. */
  readonly from: Value
}

export class Counting {
  readonly #view: View
  readonly #rest: Rest
  #entries = FEWEST_ENTRIES
  /** The time that reading has taken since the last pause, in milliseconds. */
  #milliseconds = 0

  constructor(view: View, rest: Rest) {
    this.#view = view
    this.#rest = rest
  }

  async count({ skip, rest, values, from }: Counted): Promise<number> {
    let [count, after] = [0, from]
    for (;;) {
      const entries = this.#entries
      const { row, took } = await this.#timed<{ key: Value }>(skip, ...values, after, entries - 1)
      if (row === null) break
      count += entries
      after = row.key
      this.#entries = entriesFor(entries, took)
    }
    // Less than one piece is left.
    return count + ((await this.read<{ count: number }>(rest, ...values, after))?.count ?? 0)
  }

  /** Reads one row, which must be fast to find. */
  async read<Row>(sql: string, ...values: Value[]): Promise<Row | null> {
    return (await this.#timed<Row>(sql, ...values)).row
  }

  /** Reads one row. Pauses if reading has taken long enough. `took` is the duration of the read in milliseconds. */
  async #timed<Row>(sql: string, ...values: Value[]): Promise<{ row: Row | null; took: number }> {
    const answer = await this.#view((connection) => {
      const begun = performance.now()
      const row = connection.one<Row>(sql, ...values)
      return { row, took: performance.now() - begun }
    })
    this.#milliseconds += answer.took
    if (this.#milliseconds >= PIECE_MILLISECONDS) {
      const milliseconds = this.#milliseconds
      this.#milliseconds = 0
      await this.#rest(milliseconds)
    }
    return answer
  }
}

/**
 * Computes the size of the next piece from the size and the duration of the last piece. Uncached pages take a hundred
 * times as long.
 */
export function entriesFor(entries: number, milliseconds: number): number {
  const fitting = Math.round((entries * PIECE_MILLISECONDS) / Math.max(milliseconds, 0.001))
  return Math.max(FEWEST_ENTRIES, Math.min(fitting, 4 * entries, MOST_ENTRIES))
}
