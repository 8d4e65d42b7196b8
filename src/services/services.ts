/** What every verb of the service stands on. Made once, in `main.ts`; tests make one with a clock of their own. */
import type { Permission } from "../kernel/ids.ts"
import type { CatalogueEntry } from "../permissions/permission-catalogue.rules.ts"
import type { Shared, SharedPollIntervals, Store, Windows } from "../store/store.ts"
import type { Clock } from "../kernel/clock.ts"
import type { Keys } from "../kernel/keys.ts"
import type { Log } from "../kernel/log.ts"
import type { AnonymousBudget } from "./anonymous-budget.ts"
import type { InvalidationFeed } from "./invalidation-feed.ts"
import type { LiveSettings } from "./live-settings.ts"
import type { PictureSlot } from "./picture-slot.ts"
import type { RotationKeys } from "./rotation-keys.ts"
import type { Tallies } from "./tallies.ts"

export type Services = {
  readonly store: Store
  readonly clock: Clock
  readonly keys: Keys
  readonly log: Log
  readonly catalogue: ReadonlyMap<Permission, CatalogueEntry>
  readonly settings: LiveSettings
  /** The shared per-address budget of the anonymous endpoints. */
  readonly budget: AnonymousBudget
  /** What slows guessing down. Apart from the budget, so that no flood of addresses makes it forget. */
  readonly guesses: Windows
  /** Where pictures are drawn that apps bring which register themselves. */
  readonly strangersPictures: PictureSlot
  /** How fast devices poll. */
  readonly pollIntervals: SharedPollIntervals
  /** Where the three are counted when several nodes may count; null where the memory of this process does. */
  readonly shared: Shared | null
  /** What successors of refresh tokens are derived with. */
  readonly rotationKeys: RotationKeys
  /** Counts of what happens. */
  readonly tallies: Tallies
  /** Sends invalidations to the resource servers that listen. */
  readonly feed: InvalidationFeed
  /** The published base address, without a trailing slash. */
  readonly issuer: string
}
