/**
 * Changes, many in one round trip and many in one commit:
 *
 * 1. Changes that arrive while others run wait, and then run together as a batch (`change-batch.ts`).
 * 2. The rows for all rules of a batch are read in one round trip, as one view, without locks (`load.ts`). Each rule
 *    decides. A change that writes nothing is answered.
 * 3. A rule that writes only the life of the credential it loaded, and events, is written with the batch in one statement.
 *    The statement skips credentials that changed since they were read or that are locked (`guarded-write.ts`). So a refresh
 *    takes two round trips without locks between them. Skipped changes are read and decided again.
 * 4. Any other rule runs alone, in a transaction that locks what it depends on before it decides again
 *    (`locked-change.ts`).
 *
 * An answer waits for its commit. If the connection is lost during a commit, the outcome is unknown: the caller gets
 * `StoreUnavailable`, and nothing is sent again.
 */
import { type Found, type Load, StoreUnavailable } from "../../store.ts"
import type { Decided } from "../../../records/change.rules.ts"
import { runBatch } from "./change-batch.ts"
import type { Database } from "../driver/database.ts"
import { Semaphore } from "../driver/semaphore.ts"
import { changeLocked } from "../locking/locked-change.ts"
import type { Locks } from "../locking/locks.ts"

export type Waiting = {
  readonly load: Load
  readonly decide: (found: never) => Decided<unknown>
  readonly resolve: (answer: unknown) => void
  readonly reject: (reason: unknown) => void
  readonly since: number
  /** How often it was decided and passed over. */
  losses: number
}

const TOGETHER_AT_MOST = 256
const WAITING_AT_MOST = 4096
/** The longest wait while the server responds. If it does not, waiting ends earlier. */
const WAIT_MILLISECONDS = 5000

/** After this many lost races a change waits for a lock. */
const LOSSES_AT_MOST = 2

export class ChangeQueue {
  readonly #database: Database
  readonly #batchesAtMost: number
  readonly #committed: (changes: number) => void
  /** Those that wait for each other's rows leave the batches their connections. */
  readonly #singles: Semaphore
  /** Changes that batches skipped wait here for the row lock, so that they do not block other changes. */
  readonly #passedOver: Semaphore
  #waiting: Waiting[] = []
  #batches = 0
  readonly #underWay = new Set<Promise<void>>()
  #isDue = false
  #isClosed = false

  /** `committed` is called with the number of changes of each commit. */
  constructor(
    database: Database,
    batchesAtMost: number,
    committed: (changes: number) => void = () => undefined,
  ) {
    this.#database = database
    this.#committed = committed
    this.#batchesAtMost = batchesAtMost
    const singles = Math.max(2, database.pool.size - 2 * batchesAtMost - 1)
    this.#passedOver = new Semaphore(Math.floor(singles / 2))
    this.#singles = new Semaphore(Math.ceil(singles / 2))
    database.pool.whenAway((reason) => this.#rejectAll(reason))
  }

  get waiting(): number {
    return this.#waiting.length + this.#singles.waiting + this.#passedOver.waiting
  }

  change<const L extends Load, A>(load: L, decide: (found: Found<L>) => Decided<A>): Promise<A> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable("the store is closed"))
    if (this.waiting >= WAITING_AT_MOST)
      return Promise.reject(new StoreUnavailable("too many changes wait for the database"))
    return new Promise<A>((resolve, reject) => {
      const waiting: Waiting = {
        load,
        decide: decide as Waiting["decide"],
        resolve: resolve as Waiting["resolve"],
        reject,
        since: performance.now(),
        losses: 0,
      }
      // Who asks for nothing decides at once.
      if (Object.keys(load).length === 0) this.#track(this.#change(waiting))
      else this.#add(waiting)
    })
  }

  /** Loads the rows as a rule that writes nothing finds them, with all others of its batch. */
  read<const L extends Load>(load: L): Promise<Found<L>> {
    return this.change<L, Found<L>>(load, (found) => ({ answer: found, changes: [] }))
  }

  /** Answers what waits, and takes nothing more. */
  async close(): Promise<void> {
    this.#isClosed = true
    while (this.#waiting.length > 0 || this.#underWay.size > 0) {
      this.#begin()
      await Promise.all(this.#underWay)
    }
  }

  #add(waiting: Waiting): void {
    this.#waiting.push(waiting)
    if (this.#isDue) return
    this.#isDue = true
    // More changes may arrive in this turn of the event loop.
    setImmediate(() => {
      this.#isDue = false
      this.#begin()
    })
  }

  #begin(): void {
    while (this.#batches < this.#batchesAtMost && this.#waiting.length > 0) {
      const together = this.#waiting.splice(0, TOGETHER_AT_MOST).filter((waiting) => !isLate(waiting))
      if (together.length === 0) continue
      this.#batches++
      const batch = this.#batch(together).finally(() => {
        this.#batches--
        this.#begin()
      })
      this.#track(batch)
    }
  }

  async #batch(together: readonly Waiting[]): Promise<void> {
    const { lost, single, written } = await runBatch(this.#database, together)
    if (written > 0) this.#committed(written)
    for (const [waiting, locks] of single) this.#track(this.#change(waiting, locks))
    for (const waiting of lost) {
      waiting.losses++
      if (waiting.losses < LOSSES_AT_MOST) this.#add(waiting)
      else this.#track(this.#change(waiting, null, this.#passedOver))
    }
  }

  async #change(waiting: Waiting, locks: Locks | null = null, turns = this.#singles): Promise<void> {
    try {
      await turns.turn()
    } catch (reason) {
      return waiting.reject(reason)
    }
    try {
      if (isLate(waiting)) return
      const { answer, changes } = await changeLocked(this.#database, waiting, locks)
      if (changes.length > 0) this.#committed(1)
      waiting.resolve(answer)
    } catch (error) {
      waiting.reject(error)
    } finally {
      turns.done()
    }
  }

  #track(work: Promise<void>): void {
    this.#underWay.add(work)
    void work.finally(() => this.#underWay.delete(work))
  }

  #rejectAll(reason: StoreUnavailable): void {
    for (const { reject } of this.#waiting.splice(0)) reject(reason)
    this.#singles.rejectAll(reason)
    this.#passedOver.rejectAll(reason)
  }
}

/** Its caller has waited long enough. Nothing was sent for it. */
function isLate({ since, reject }: Waiting): boolean {
  if (performance.now() - since <= WAIT_MILLISECONDS) return false
  reject(new StoreUnavailable("the database has no time"))
  return true
}
