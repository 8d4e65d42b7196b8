/**
 * The settings as the database has them, read again at the most every quarter of a second: what an administrator
 * changes is in force everywhere within a second, without a restart and without a query for each request.
 */
import { readSettings, type Settings } from "../core/setting.ts"
import { type Store, StoreUnavailable } from "../store/store.ts"
import type { Clock } from "../system/clock.ts"

const FRESH_MILLISECONDS = 250

export class LiveSettings {
  readonly #store: Store
  readonly #clock: Clock
  #settings: Settings
  #readAt: number

  private constructor(store: Store, clock: Clock, settings: Settings) {
    this.#store = store
    this.#clock = clock
    this.#settings = settings
    this.#readAt = clock.monotonic()
  }

  static async open(store: Store, clock: Clock): Promise<LiveSettings> {
    return new LiveSettings(store, clock, readSettings(await store.settings()))
  }

  /** The settings in force. A value while it is fresh, else a promise of one. */
  current(): Settings | Promise<Settings> {
    const isFresh = this.#clock.monotonic() - this.#readAt < FRESH_MILLISECONDS
    return isFresh ? this.#settings : this.#refresh()
  }

  /** The same, and while the database is away those that it told last: for what is answered all the same. */
  async lastKnown(): Promise<Settings> {
    try {
      return await this.current()
    } catch (fault) {
      if (fault instanceof StoreUnavailable) return this.#settings
      throw fault
    }
  }

  async #refresh(): Promise<Settings> {
    const settings = readSettings(await this.#store.settings())
    this.#settings = settings
    this.#readAt = this.#clock.monotonic()
    return settings
  }
}
