/** The services that every operation needs. `main.ts` creates them once. Tests create them with their own clock. */
import type { Permission } from "../../kernel/ids.ts"
import type { CatalogEntry } from "../../model/permissions/permission-catalog.rules.ts"
import type { Shared, SharedPollIntervals, Windows } from "../../store/limits.ts"
import type { Store } from "../../store/store.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { Keys } from "../../kernel/keys.ts"
import type { Log } from "../../kernel/log.ts"
import type { MailConfig } from "../outgoing/smtp/send-mail.ts"
import type { Languages } from "../languages/languages.ts"
import type { GuardedFetch } from "../outgoing/guarded-fetch.ts"
import type { KnownResources } from "../../model/known-resources.rules.ts"
import type { SignInProviders } from "../../model/sign-in/provider.rules.ts"
import type { AnonymousBudget } from "./anonymous-budget.ts"
import type { BackgroundQueue } from "./background-queue.ts"
import type { DiskState } from "./disk-state.ts"
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
  readonly catalog: ReadonlyMap<Permission, CatalogEntry>
  readonly settings: LiveSettings
  /** The rate limit of each address for all anonymous endpoints. */
  readonly budget: AnonymousBudget
  /** Against guessing. Separate from `budget`, because a flood of anonymous requests can evict its windows. */
  readonly guesses: Windows
  /** Limits the encoding of icons of self-registered apps. */
  readonly strangersPictures: PictureSlot
  readonly pollIntervals: SharedPollIntervals
  /** PostgreSQL counts `budget`, `guesses` and `pollIntervals`. Null if this process counts them in memory. */
  readonly shared: Shared | null
  /** The keys from which the next token pairs are derived. */
  readonly rotationKeys: RotationKeys
  readonly tallies: Tallies
  readonly disk: DiskState
  /** Sends invalidations to listening resource servers. */
  readonly feed: InvalidationFeed
  /** Requests to other hosts. */
  readonly outgoing: GuardedFetch
  /** Work that no response waits for. */
  readonly background: BackgroundQueue
  /** The sender of e-mail. The value is null if the operator has not configured e-mail. */
  readonly mail: MailConfig | null
  /** The languages of pages and mails. */
  readonly languages: Languages
  /** The `resource` values that clients may name. */
  readonly resources: KnownResources
  readonly providers: SignInProviders
  /** The base URL, without a trailing slash. */
  readonly issuer: string
}
