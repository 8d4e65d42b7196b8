/**
 * Caches the settings and reads them at most four times a second. A change therefore applies on every node within a
 * second, without a restart and without a query for each request.
 */
import { type Appearance, readAppearance } from "../../model/appearance.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { catalogInForce, readSettings, type Settings } from "../../model/setting.rules.ts"
import type { Store } from "../../store/store.ts"
import { StoreUnavailable } from "../../store/unavailable.ts"
import type { Clock } from "../../kernel/clock.ts"

/** The settings, together with facts about registered apps that the metadata depends on. */
export type InForce = Settings & {
  /** Whether any app is bound to a service account. */
  readonly hasBinding: boolean
  readonly hasClientWithKeys: boolean
  readonly appearance: Appearance
  /** The permissions that the settings leave or add. */
  readonly catalog: Catalog
}

/** Settings are refreshed after 250 ms. `current` returns none that are older than 750 ms. */
const FRESH_MILLISECONDS = 250
const GOOD_MILLISECONDS = 750

export class LiveSettings {
  readonly #store: Store
  readonly #clock: Clock
  readonly #catalog: Catalog
  #settings: InForce
  #readAt: number
  /** When this node changed a setting. What was asked before may lack the change. */
  #changedAt = -Infinity
  #reading: { readonly askedAt: number; readonly settings: Promise<InForce> } | null = null

  private constructor(store: Store, clock: Clock, catalog: Catalog, settings: InForce, readAt: number) {
    this.#store = store
    this.#clock = clock
    this.#catalog = catalog
    this.#settings = settings
    this.#readAt = readAt
  }

  static async open(store: Store, clock: Clock, catalog: Catalog): Promise<LiveSettings> {
    const readAt = clock.monotonic()
    const settings = await readInForce(store, catalog)
    return new LiveSettings(store, clock, catalog, settings, readAt)
  }

  /**
   * Returns the settings, at most 750 ms old. Settings older than 250 ms are returned at once and refreshed in the
   * background. If they are older than 750 ms, the result is a promise.
   */
  current(): InForce | Promise<InForce> {
    const now = this.#clock.monotonic()
    const age = now - this.#readAt
    if (age < FRESH_MILLISECONDS) return this.#settings
    const reading = this.#read(now)
    if (age >= GOOD_MILLISECONDS) return reading
    // Nothing needs to be done here. When the settings are too old, the next call reports the failure.
    reading.catch(() => undefined)
    return this.#settings
  }

  /** The settings of the last read. A page route reads `current` first. */
  get latest(): InForce {
    return this.#settings
  }

  /** Called when this node has changed a setting, so that its next answer follows it. Others follow within a second. */
  expire(): void {
    this.#changedAt = this.#clock.monotonic()
    this.#readAt = -Infinity
    this.#reading = null
  }

  /** Returns the current settings. While the database is unavailable, returns the last known settings. */
  async lastKnown(): Promise<InForce> {
    try {
      return await this.current()
    } catch (fault) {
      if (fault instanceof StoreUnavailable) return this.#settings
      throw fault
    }
  }

  /** All waiting calls share one read. The result may miss a change that is stored during the read. */
  #read(askedAt: number): Promise<InForce> {
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

  async #reload(askedAt: number): Promise<InForce> {
    const settings = await readInForce(this.#store, this.#catalog)
    if (askedAt < this.#readAt || askedAt < this.#changedAt) return settings
    this.#settings = settings
    this.#readAt = askedAt
    return settings
  }
}

async function readInForce(store: Store, catalog: Catalog): Promise<InForce> {
  const [stored, { anyBinding, anyClientWithKeys }] = await Promise.all([
    store.settings(),
    store.read({ anyBinding: true, anyClientWithKeys: true }),
  ])
  const hasBinding = anyBinding !== null
  const read = readSettings(stored, catalog)
  return {
    ...read,
    catalog: catalogInForce(catalog, read),
    hasBinding,
    hasClientWithKeys: anyClientWithKeys !== null,
    appearance: readAppearance(stored),
  }
}
