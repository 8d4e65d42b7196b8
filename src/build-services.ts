/** Builds the services of one process on an open store. */
import { knownResources, type ResourceServer } from "./model/known-resources.rules.ts"
import { AnonymousBudget } from "./platform/services/anonymous-budget.ts"
import { BackgroundQueue } from "./platform/services/background-queue.ts"
import { Budget, GuessCounters } from "./platform/services/budget.ts"
import { countingStore } from "./platform/services/counting-store.ts"
import { InvalidationFeed } from "./platform/services/invalidation-feed.ts"
import { LiveSettings } from "./platform/services/live-settings.ts"
import { PictureSlot } from "./platform/services/picture-slot.ts"
import { PollIntervals } from "./platform/services/poll-intervals.ts"
import { RotationKeys } from "./platform/services/rotation-keys.ts"
import type { Services } from "./platform/services/services.ts"
import { DiskState } from "./platform/services/disk-state.ts"
import { Tallies } from "./platform/services/tallies.ts"
import { Languages } from "./platform/languages/languages.ts"
import type { MailSender } from "./platform/mail/sender.ts"
import {
  GuardedFetch,
  NO_OUTGOING,
  type OutgoingConfig,
  type StartTimer,
} from "./platform/outgoing/guarded-fetch.ts"
import type { ResolveName } from "./platform/outgoing/resolve-name.ts"
import type { Store } from "./store/store.ts"

/** What the services share with the rest of the process. */
export type System = Pick<Services, "clock" | "keys" | "log">

export type ServiceOptions = Pick<Services, "catalog"> &
  Partial<Pick<Services, "mail" | "providers" | "languages">> & {
    /** The operator's list. Null allows every value. */
    readonly resourceServers?: ReadonlyMap<string, ResourceServer> | null
    readonly outgoing?: OutgoingConfig
    readonly resolveName?: ResolveName
    readonly startTimer?: StartTimer
  }

/** The sender is null without e-mail. */
export type BuiltServices = { readonly services: Services; readonly mailSender: MailSender | null }

export async function buildServices(
  options: ServiceOptions,
  store: Store,
  system: System,
  issuer: string,
): Promise<BuiltServices> {
  const { catalog, mail = null, languages = new Languages() } = options
  const { clock, log } = system
  const needs = { store, ...system }
  const settings = await LiveSettings.open(store, clock, catalog)
  const rotationKeys = await RotationKeys.open(needs)
  const disk = new DiskState()
  const tallies = new Tallies({ ...needs, disk })
  const shared = store.share(clock.shared)
  const counting = countingStore(store, tallies, disk, settings)
  const mailing = mail === null ? null : await openMail({ ...needs, issuer, languages }, counting, mail)
  const services: Services = {
    store: mailing?.store ?? counting,
    ...system,
    get catalog() {
      return settings.latest.catalog
    },
    settings,
    budget: new AnonymousBudget(shared?.budget ?? new Budget(clock), clock),
    guesses: shared?.guesses ?? new GuessCounters(clock),
    strangersPictures: new PictureSlot(clock),
    pollIntervals: shared?.pollIntervals ?? new PollIntervals(clock),
    shared,
    rotationKeys,
    tallies,
    disk,
    feed: new InvalidationFeed(needs),
    outgoing: new GuardedFetch(
      options.outgoing ?? NO_OUTGOING,
      clock,
      options.resolveName,
      options.startTimer,
    ),
    background: new BackgroundQueue(log),
    mail,
    languages,
    resources: knownResources(options.resourceServers ?? null, issuer),
    providers: options.providers ?? new Map(),
    issuer,
  }
  return { services, mailSender: mailing?.sender ?? null }
}

/** Without e-mail, no change looks for notices, and the code of mails is not loaded. */
async function openMail(
  needs: System & Pick<Services, "store" | "issuer" | "languages">,
  counting: Store,
  mail: NonNullable<Services["mail"]>,
): Promise<{ readonly store: Store; readonly sender: MailSender }> {
  const [{ MailSender: Sender }, { noticingStore }] = await Promise.all([
    import("./platform/mail/sender.ts"),
    import("./platform/mail/noticing-store.ts"),
  ])
  const sender = new Sender(needs, mail)
  return { sender, store: noticingStore(counting, needs.clock, () => sender.wake()) }
}
