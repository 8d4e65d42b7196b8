/** Counts the entries of an index in pieces short enough not to delay other requests. */
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises"
import type { Value } from "../../codecs/value.ts"
import type { Connection } from "./connection.ts"

/** `view` reads one consistent view; between two of them others have their turn. */
export type View = <T>(body: (connection: Connection) => T) => Promise<T>

const PIECE_MILLISECONDS = 2
const FEWEST_ENTRIES = 250
const MOST_ENTRIES = 50_000

/** Runs between two pieces. Takes the milliseconds of the first one. */
export type Rest = (milliseconds: number) => Promise<unknown>

/** For a caller that waits for the count. */
export const yieldBriefly: Rest = () => nextTurn()

/** A fifth of the time is spent counting. */
export const yieldGenerously: Rest = (milliseconds) => pause(4 * milliseconds, undefined, { ref: false })

/** Two statements over an index, in its order; both take the last key that was counted after their own values. */
export type Counted = {
  /** Returns the `key` this many entries further on, as the last value. Skipping an entry is cheaper than reading it. */
  readonly skip: string
  /** Returns the `count` of the rest. */
  readonly rest: string
  readonly values: readonly Value[]
  /** Before every key. */
  readonly from: Value
}

export class Counting {
  readonly #view: View
  readonly #rest: Rest
  #entries = FEWEST_ENTRIES
  /** Milliseconds of reading since others last had a turn. */
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
    // Less than a piece is left.
    return count + ((await this.read<{ count: number }>(rest, ...values, after))?.count ?? 0)
  }

  /** A row that is found with little reading. */
  async read<Row>(sql: string, ...values: Value[]): Promise<Row | null> {
    return (await this.#timed<Row>(sql, ...values)).row
  }

  /** `took`: milliseconds of the read itself, without the wait for the view. */
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

/** The size of the next piece, from the size and time of the last one: uncached pages take a hundred times as long. */
export function entriesFor(entries: number, milliseconds: number): number {
  const fitting = Math.round((entries * PIECE_MILLISECONDS) / Math.max(milliseconds, 0.001))
  return Math.max(FEWEST_ENTRIES, Math.min(fitting, 4 * entries, MOST_ENTRIES))
}
