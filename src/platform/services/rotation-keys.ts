/**
 * Keeps the rotation keys of the store in memory (`model/rotation-key.rules.ts`). Keys are created in advance and
 * read again every half minute. A key is stored before its first use, so that another node can repeat a lost response,
 * even after a crash. Expired keys are deleted from memory each second, and from the store each half minute.
 */
import {
  halfMinuteOf,
  keptHalfMinutes,
  keptKeys,
  type RotationKeys as Keys,
} from "../../model/rotation-key.rules.ts"
import type { Store } from "../../store/store.ts"
import { StoreUnavailable } from "../../store/unavailable.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { Log } from "../../kernel/log.ts"
import { randomSecret } from "../../kernel/random.ts"

const EVERY_MILLISECONDS = 1000

type Needs = { readonly store: Pick<Store, "keepRotationKeys">; readonly clock: Clock }

export class RotationKeys {
  readonly #needs: Needs
  #keys: Keys = new Map()
  /** The oldest half minute whose key was kept at the last synchronization with the store. Null if that failed. */
  #keptFrom: number | null = null
  #keeping: Promise<Keys> | null = null

  private constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Loads the keys. Deletes keys that expired while the service was stopped. */
  static async open(needs: Needs): Promise<RotationKeys> {
    const keys = new RotationKeys(needs)
    await keys.load()
    return keys
  }

  /** Includes the key for `now`. A promise only if the clock jumped past the keys that were created in advance. */
  at(now: number): Keys | Promise<Keys> {
    return this.#keys.has(halfMinuteOf(now)) ? this.#keys : this.#loadFor(now)
  }

  async #loadFor(now: number): Promise<Keys> {
    // A load that is in progress may have started before the clock jumped.
    for (let tries = 0; tries < 2; tries++) {
      const keys = await this.load()
      if (keys.has(halfMinuteOf(now))) return keys
    }
    throw new StoreUnavailable("there is no rotation key for this time")
  }

  /** Synchronizes the keys with the store. Concurrent calls share one synchronization. */
  load(): Promise<Keys> {
    this.#keeping ??= this.#keep().finally(() => (this.#keeping = null))
    return this.#keeping
  }

  /** Forgets expired keys. Synchronizes with the store every half minute. */
  async tick(): Promise<void> {
    const now = this.#needs.clock.now()
    this.#keys = keptKeys(this.#keys, now)
    if (keptHalfMinutes(now).first !== this.#keptFrom) await this.load()
  }

  async #keep(): Promise<Keys> {
    const { store, clock } = this.#needs
    const now = clock.now()
    const { first, last, farthest } = keptHalfMinutes(now)
    this.#keptFrom = null
    this.#keys = keptKeys(this.#keys, now)
    const proposed = new Map(this.#keys)
    for (let half = halfMinuteOf(now); half <= last; half++)
      if (!proposed.has(half)) proposed.set(half, randomSecret())
    this.#keys = await store.keepRotationKeys({ first, last: farthest }, proposed)
    this.#keptFrom = first
    return this.#keys
  }
}

/** Starts the timer. Returns a function that stops it. */
export function startRotationKeys(keys: RotationKeys, log: Log): () => void {
  let isOver = false
  const timer = setInterval(() => {
    keys.tick().catch((err: unknown) => {
      // After the store was closed, a failure is expected.
      if (!isOver) log.error({ err }, "rotation keys could not be stored; this will be retried")
    })
  }, EVERY_MILLISECONDS).unref()
  return () => {
    isOver = true
    clearInterval(timer)
  }
}
