/**
 * Runs many changes in one round trip and one commit:
 *
 * 1. Changes wait while a batch runs, and while more arrive. After that, they run together as a batch
 * (`change-batch.ts`).
 * 2. One round trip reads the rows of all rules as one consistent view, without locks (`load.ts`). Each rule then
 * decides. A change that writes nothing is answered.
 * 3. Most rules write only the life of their credential, and events. The batch writes these in one statement. The
 * statement skips credentials that are locked or have changed since the read (`guarded-write.ts`). A refresh therefore
 * takes two round trips without locks between them. Skipped changes are read and decided again. Redemptions of device
 * grants and access tokens of service accounts are batched in the same way.
 * 4. Any other rule runs alone. Its transaction locks its rows, and the rule then decides again (`locked-change.ts`).
 *
 * An answer waits for its commit. If the connection fails during a commit, the outcome is unknown. The caller then gets
 * `StoreUnavailable`, and the change is not sent again.
 */
import type { Found, Load } from "../../loadable.ts"
import { StoreUnavailable } from "../../unavailable.ts"
import type { Decided } from "../../../model/change.rules.ts"
import { runBatch } from "./change-batch.ts"
import type { Database } from "../driver/database.ts"
import { Semaphore, Turn } from "../driver/semaphore.ts"
import { changeLocked } from "../locking/locked-change.ts"
import type { Locks } from "../locking/locks.ts"

export type Waiting = {
  readonly load: Load
  readonly decide: (found: never) => Decided<unknown>
  readonly resolve: (answer: unknown) => void
  readonly reject: (reason: unknown) => void
  readonly since: number
  /** The number of batches that have decided this change and then skipped it. */
  losses: number
}

const TOGETHER_AT_MOST = 256
/** When this number of changes waits, or the first has waited this long, a batch begins although more arrive. */
const WORTH_A_BATCH = 64
const GATHERING_MILLISECONDS = 5
/** Beside another batch, one begins only with this many changes, or when the first has waited as long as above. */
const WORTH_A_SECOND_BATCH = 32
const WAITING_AT_MOST = 4096
/**
 * The longest time that a change waits before it runs. If the server does not respond, changes are rejected earlier.
 */
const WAIT_MILLISECONDS = 5000
const TOO_LATE = "the change waited too long for the database"

/** After this many skips, a change runs alone and waits for the lock. */
const LOSSES_AT_MOST = 2

export class ChangeQueue {
  readonly #database: Database
  readonly #batchesAtMost: number
  readonly #committed: (changes: number) => void
  /** Limits changes that run alone. They wait for each other's rows and must leave some connections to the batches. */
  readonly #singles: Semaphore
  /**
   * Limits changes that wait for row locks: those that batches have skipped, and those that met a lock when they ran
   * alone. They must not delay other changes that run alone.
   */
  readonly #passedOver: Semaphore
  /** The locks of changes that met one when they ran alone, with their number. Later changes join these at once. */
  readonly #met = new Map<string, number>()
  #waiting: Waiting[] = []
  #batches = 0
  #later: NodeJS.Timeout | undefined
  readonly #underWay = new Set<Promise<void>>()
  #isDue = false
  #isClosed = false

  /** The queue calls `committed` with the number of changes of each commit. */
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
      return Promise.reject(new StoreUnavailable("too many changes are waiting for the database"))
    return new Promise<A>((resolve, reject) => {
      const waiting: Waiting = {
        load,
        decide: decide as Waiting["decide"],
        resolve: resolve as Waiting["resolve"],
        reject,
        since: performance.now(),
        losses: 0,
      }
      // A change that loads nothing needs no batch.
      if (Object.keys(load).length === 0) this.#track(this.#change(waiting))
      else this.#add(waiting)
    })
  }

  /** Loads rows in a batch, as a change without writes does. */
  read<const L extends Load>(load: L): Promise<Found<L>> {
    return this.change<L, Found<L>>(load, (found) => ({ answer: found, changes: [] }))
  }

  /** Answers the waiting changes. Accepts no new ones. */
  async close(): Promise<void> {
    this.#isClosed = true
    while (this.#waiting.length > 0 || this.#underWay.size > 0) {
      this.#begin()
      await Promise.all(this.#underWay)
    }
  }

  #add(waiting: Waiting): void {
    this.#waiting.push(waiting)
    this.#beginSoon()
  }

  #beginSoon(): void {
    if (this.#isDue || this.#batches >= this.#batchesAtMost || this.#waiting.length === 0) return
    if (this.#batches > 0 && this.#waiting.length < WORTH_A_SECOND_BATCH) return this.#beginLater()
    this.#isDue = true
    const until = performance.now() + GATHERING_MILLISECONDS
    setImmediate(() => this.#beginUnlessMoreCome(0, until))
  }

  /** Begins soon after the batch that runs. If that takes long, begins beside it. */
  #beginLater(): void {
    this.#later ??= setTimeout(() => this.#begin(), GATHERING_MILLISECONDS)
  }

  /** Begins when a turn of the event loop brings no more changes. A batch of the first few would cost a commit too. */
  #beginUnlessMoreCome(before: number, until: number): void {
    const { length } = this.#waiting
    if (length > before && length < WORTH_A_BATCH && performance.now() < until) {
      setImmediate(() => this.#beginUnlessMoreCome(length, until))
      return
    }
    this.#isDue = false
    this.#begin()
  }

  #begin(): void {
    clearTimeout(this.#later)
    this.#later = undefined
    while (this.#batches < this.#batchesAtMost && this.#waiting.length > 0) {
      const together = this.#waiting.splice(0, TOGETHER_AT_MOST).filter((waiting) => !isLate(waiting))
      if (together.length === 0) continue
      this.#batches++
      const batch = this.#batch(together).finally(() => {
        this.#batches--
        this.#beginSoon()
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

  async #change(
    waiting: Waiting,
    locks: Locks | null = null,
    turns = locks?.names.some((name) => this.#met.has(name)) ? this.#passedOver : this.#singles,
  ): Promise<void> {
    const turn = new Turn()
    let met: readonly string[] = []
    const letOthersPass = async ({ names }: Locks) => {
      if (turn.isAt(this.#passedOver)) return
      met = names
      this.#count(met, 1)
      await turn.take(this.#passedOver)
      if (isLate(waiting)) throw new StoreUnavailable(TOO_LATE)
    }
    try {
      await turn.take(turns)
      if (isLate(waiting)) return
      const { answer, changes } = await changeLocked(this.#database, waiting, locks, letOthersPass)
      if (changes.length > 0) this.#committed(1)
      waiting.resolve(answer)
    } catch (error) {
      waiting.reject(error)
    } finally {
      turn.end()
      this.#count(met, -1)
    }
  }

  #count(met: readonly string[], by: 1 | -1): void {
    for (const name of met) {
      const count = (this.#met.get(name) ?? 0) + by
      if (count > 0) this.#met.set(name, count)
      else this.#met.delete(name)
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

/** Whether a change has waited too long. Such a change is rejected here and has written nothing. */
function isLate({ since, reject }: Waiting): boolean {
  if (performance.now() - since <= WAIT_MILLISECONDS) return false
  reject(new StoreUnavailable(TOO_LATE))
  return true
}
