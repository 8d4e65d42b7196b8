/**
 * The rotation keys at hand (`records/rotation-key.rules.ts`): those of the store, made ahead and read again every half minute. A
 * key is stored before its first use, so that a lost answer can be repeated after a crash and by another node. What is
 * past is forgotten here by the second, and in the store with it.
 */
import {
  halfMinuteOf,
  keptHalfMinutes,
  keptKeys,
  type RotationKeys as Keys,
} from "../records/rotation-key.rules.ts"
import { type Store, StoreUnavailable } from "../store/store.ts"
import type { Clock } from "../kernel/clock.ts"
import type { Log } from "../kernel/log.ts"
import { randomSecret } from "../kernel/random.ts"

const EVERY_MILLISECONDS = 1000

type Needs = { readonly store: Pick<Store, "keepRotationKeys">; readonly clock: Clock }

export class RotationKeys {
  readonly #needs: Needs
  #keys: Keys = new Map()
  /** The first half minute that was kept when the store was asked last; null where that failed. */
  #keptFrom: number | null = null
  #keeping: Promise<Keys> | null = null

  private constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Also deletes what was left over when the service ran last. */
  static async open(needs: Needs): Promise<RotationKeys> {
    const keys = new RotationKeys(needs)
    await keys.load()
    return keys
  }

  /** The keys, with that of `now`. A promise only where the clock jumped past those that were made ahead. */
  at(now: number): Keys | Promise<Keys> {
    return this.#keys.has(halfMinuteOf(now)) ? this.#keys : this.#loadFor(now)
  }

  async #loadFor(now: number): Promise<Keys> {
    // A look-up under way may have begun before the clock jumped.
    for (let tries = 0; tries < 2; tries++) {
      const keys = await this.load()
      if (keys.has(halfMinuteOf(now))) return keys
    }
    throw new StoreUnavailable("there is no rotation key for this time")
  }

  /** The keys as the store has them now. Requests that come together share one look-up. */
  load(): Promise<Keys> {
    this.#keeping ??= this.#keep().finally(() => (this.#keeping = null))
    return this.#keeping
  }

  /** Forgets what is past, and keeps the store in step once a half minute. */
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

/** Starts the tick; the answer stops it. */
export function startRotationKeys(keys: RotationKeys, log: Log): () => void {
  let isOver = false
  const timer = setInterval(() => {
    keys.tick().catch((err: unknown) => {
      // A store that was closed meanwhile is no failure.
      if (!isOver) log.error({ err }, "rotation keys could not be kept; it is tried again")
    })
  }, EVERY_MILLISECONDS).unref()
  return () => {
    isOver = true
    clearInterval(timer)
  }
}
