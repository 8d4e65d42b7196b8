/** Counts the entries of an index in pieces that are short enough not to delay requests. */
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises"
import type { Value } from "../../codecs/value.ts"
import type { Connection } from "./connection.ts"

/** Runs `body` on one consistent view. Requests can run between two views. */
export type View = <T>(body: (connection: Connection) => T) => Promise<T>

const PIECE_MILLISECONDS = 2
const FEWEST_ENTRIES = 250
const MOST_ENTRIES = 50_000

/** Pauses between two pieces. `milliseconds` is the time that the previous piece took. */
export type Rest = (milliseconds: number) => Promise<unknown>

/** Yields to one turn of the event loop, for a caller that waits for the count. */
export const yieldBriefly: Rest = () => nextTurn()

/** Pauses four times as long as the piece took, so counting takes a fifth of the time. */
export const yieldGenerously: Rest = (milliseconds) => pause(4 * milliseconds, undefined, { ref: false })

/**
 * Two statements over an index, in its order. After `values`, `skip` takes the last counted key and the number of
 * entries to skip; `rest` takes only the key.
 */
export type Counted = {
  /** Returns the `key` after the skipped entries. Skipping an entry is cheaper than reading it. */
  readonly skip: string
  /** Returns the `count` of the remaining entries. */
  readonly rest: string
  readonly values: readonly Value[]
  /** A value that sorts before every key. */
  readonly from: Value
}

export class Counting {
  readonly #view: View
  readonly #rest: Rest
  #entries = FEWEST_ENTRIES
  /** The milliseconds of reading since the last pause. */
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
    // Fewer entries than one piece remain.
    return count + ((await this.read<{ count: number }>(rest, ...values, after))?.count ?? 0)
  }

  /** Reads one row, which must be cheap to find. */
  async read<Row>(sql: string, ...values: Value[]): Promise<Row | null> {
    return (await this.#timed<Row>(sql, ...values)).row
  }

  /** Reads one row, and pauses if it is time. `took` is the time of the read in milliseconds. */
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

/** Computes the next piece from the size and time of the last one. Uncached pages take a hundred times as long. */
export function entriesFor(entries: number, milliseconds: number): number {
  const fitting = Math.round((entries * PIECE_MILLISECONDS) / Math.max(milliseconds, 0.001))
  return Math.max(FEWEST_ENTRIES, Math.min(fitting, 4 * entries, MOST_ENTRIES))
}
