/**
 * The settings as the database has them, read again at most every quarter of a second: what an administrator
 * changes is in force on every node within a second, without a restart and without a query for each request.
 */
import type { Catalogue } from "../permissions/permission-catalogue.rules.ts"
import { readSettings, type Settings } from "../records/setting.rules.ts"
import { type Store, StoreUnavailable } from "../store/store.ts"
import type { Clock } from "../kernel/clock.ts"

/** Refreshed after 250 ms; never served once older than 750 ms. */
const FRESH_MILLISECONDS = 250
const GOOD_MILLISECONDS = 750

export class LiveSettings {
  readonly #store: Store
  readonly #clock: Clock
  readonly #catalogue: Catalogue
  #settings: Settings
  #readAt: number
  #reading: { readonly askedAt: number; readonly settings: Promise<Settings> } | null = null

  private constructor(store: Store, clock: Clock, catalogue: Catalogue, settings: Settings, readAt: number) {
    this.#store = store
    this.#clock = clock
    this.#catalogue = catalogue
    this.#settings = settings
    this.#readAt = readAt
  }

  static async open(store: Store, clock: Clock, catalogue: Catalogue): Promise<LiveSettings> {
    const readAt = clock.monotonic()
    const settings = readSettings(await store.settings(), catalogue)
    return new LiveSettings(store, clock, catalogue, settings, readAt)
  }

  /**
   * The settings in force. Under load a value: the next are read after the answer. A promise
   * after a while without requests.
   */
  current(): Settings | Promise<Settings> {
    const now = this.#clock.monotonic()
    const age = now - this.#readAt
    if (age < FRESH_MILLISECONDS) return this.#settings
    const reading = this.#read(now)
    if (age >= GOOD_MILLISECONDS) return reading
    // If this read fails, a call after these have expired reports that the database is away.
    reading.catch(() => undefined)
    return this.#settings
  }

  /** The same, and while the database is away the last ones read: for what is answered all the same. */
  async lastKnown(): Promise<Settings> {
    try {
      return await this.current()
    } catch (fault) {
      if (fault instanceof StoreUnavailable) return this.#settings
      throw fault
    }
  }

  /** One read for all calls that wait for it. What is changed while it is under way may not be in it. */
  #read(askedAt: number): Promise<Settings> {
    const under = this.#reading
    if (under !== null && askedAt - under.askedAt < GOOD_MILLISECONDS) return under.settings
    const reading = { askedAt, settings: this.#reload(askedAt) }
    this.#reading = reading
    const over = () => {
      if (this.#reading === reading) this.#reading = null
    }
    reading.settings.then(over, over)
    return reading.settings
  }

  async #reload(askedAt: number): Promise<Settings> {
    const settings = readSettings(await this.#store.settings(), this.#catalogue)
    if (askedAt < this.#readAt) return settings
    this.#settings = settings
    this.#readAt = askedAt
    return settings
  }
}
