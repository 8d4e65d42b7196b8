/**
 * The interface of the database. Every engine passes `test/store/contract/contract.ts`. The main operation is `change`:
 * it loads rows, decides, writes, commits and answers.
 */
import type { Account, Session } from "../model/account.rules.ts"
import type { ClientId, UserId } from "../kernel/ids.ts"
import type { Decided } from "../model/change.rules.ts"
import type { Client } from "../model/clients/client.rules.ts"
import type { HeldConsent } from "../model/credential.rules.ts"
import type { ClaimedMail, ListedMail, MailBacklog } from "../model/mail/mail.rules.ts"
import type { Invitation } from "../model/invitation.rules.ts"
import type { RotationKeys } from "../model/rotation-key.rules.ts"
import type { Taken } from "../model/moved/import.rules.ts"
import type { SealedRow, SealedThing } from "../model/sealed.rules.ts"
import type { Tally } from "../model/tally.rules.ts"
import type { Identity } from "../model/sign-in/identity.rules.ts"
import type { Load, Found } from "./loadable.ts"
import type {
  Page,
  AccountFilter,
  ClientFilter,
  CountedGroup,
  Mark,
  CredentialFilter,
  EventFilter,
  TallyQuery,
  Span,
  Gauges,
  AppUsers,
  Invalidations,
  HeldCredential,
  RecordedEvent,
  Problem,
  Progress,
} from "./list-shapes.ts"
import type { Shared } from "./limits.ts"

export interface Store {
  /**
   * Returns what nodes share. Returns null if one process serves the database, because that process counts in memory.
   * `nowMs` returns milliseconds that all nodes agree on. By default, the database's clock is used.
   */
  share(nowMs?: () => number): Shared | null

  /**
   * Loads the rows, locks them, calls `decide`, applies its changes and commits. Resolves with the answer after the
   * changes are on disk. `decide` must be synchronous and pure, because it may run again after a conflict. Callers
   * therefore generate ids and secrets before the call. Concurrent changes of one row run one after the other.
   *
   * Throws `StoreUnavailable` if the database cannot answer. Nothing was written then, or the outcome is unknown.
   */
  change<const L extends Load, A>(load: L, decide: (found: Found<L>) => Decided<A>): Promise<A>

  /** Loads the rows as one consistent view. Takes no locks. */
  read<const L extends Load>(load: L): Promise<Found<L>>

  /**
   * Returns the rotation keys of a span of half minutes. Adds missing keys from `proposed` and deletes all other keys.
   * Resolves after the keys are on disk. If several nodes propose a key, the first key is used. Backups and moves leave
   * these keys out.
   */
  keepRotationKeys(span: Span, proposed: RotationKeys): Promise<RotationKeys>

  /** Lists rows in the order of their ids, oldest first. Only events are listed newest first. */
  accounts(page: Page, filter?: AccountFilter): Promise<readonly Account[]>
  clients(page: Page, filter?: ClientFilter): Promise<readonly Client[]>
  credentials(filter: CredentialFilter, page: Page): Promise<readonly HeldCredential[]>
  /** Finds what stands in the way of imported accounts and tokens, whether their import has finished or not. */
  taken(
    userIds: readonly string[],
    usernameKeys: readonly string[],
    tokenHashes: readonly string[],
  ): Promise<Taken>
  /** Lists the sessions of an account, the last seen first. */
  sessions(userId: UserId): Promise<readonly Session[]>
  /** Lists the groups by their names. With `name`, only that group. */
  groups(page: Page, name?: string): Promise<readonly CountedGroup[]>
  /** Lists the memberships that providers gave after a key, in the order of provider, group and account. */
  marks(after: Mark, limit: number): Promise<readonly Mark[]>
  /** Lists the links that were made through a provider, by its name in the configuration. The key is the digest. */
  identities(provider: string, page: Page): Promise<readonly Identity[]>
  invitations(page: Page): Promise<readonly Invitation[]>
  settings(): Promise<ReadonlyMap<string, string>>
  /** Lists what is encrypted with the service secret, of one kind, in the order of its keys. */
  sealed(thing: SealedThing, after: string | null, limit: number): Promise<readonly SealedRow[]>
  events(filter: EventFilter, page: Page): Promise<readonly RecordedEvent[]>

  /** Lists counts in no particular order. Empty buckets are left out. */
  tallies(query: TallyQuery): Promise<readonly Tally[]>

  /**
   * Adds up the daily counts of each app, from `since` until before `until`. In the result, `at` is `since`. A counter
   * of an app may appear in several rows. The counts are read in pieces, so that no request is delayed.
   */
  talliesOfApps(since: number, until: number): Promise<readonly Tally[]>

  gauges(now: number): Promise<Gauges>

  /** Counts installations slowly, so that no request is delayed. */
  installations(now: number): Promise<number>

  /** Counts the active credentials of an app, at most `most`, and the accounts of these credentials. */
  usersOf(clientId: ClientId, now: number, most: number): Promise<AppUsers>

  /** Groups the active credentials of an app or an account. They are read in pieces, so that no request is delayed. */
  consentsOf(
    of: { readonly clientId: ClientId } | { readonly userId: UserId },
    now: number,
  ): Promise<readonly HeldConsent[]>

  /** Lists the invalidations after the id `after`, oldest first. */
  invalidations(after: number, limit: number): Promise<Invalidations>

  /**
   * Claims mails that are due, oldest first. No other node gets them before `leaseEndsAt`. If this node stops in the
   * meantime, another node then sends them.
   */
  claimMails(now: number, leaseEndsAt: number, limit: number): Promise<readonly ClaimedMail[]>

  mailBacklog(): Promise<MailBacklog>

  /** Lists waiting mails first, and then those that were given up, each oldest first. */
  unsentMails(limit: number): Promise<readonly ListedMail[]>

  /**
   * Whether another process has a lock that changes need. Reads still work, except if a PostgreSQL table is locked
   * against reading too. In that case, reads also throw `StoreLocked`.
   */
  isLocked(): boolean | Promise<boolean>

  /** Ends the credentials whose session has expired, at most `limit`. Returns their number. */
  endExpiredSessions(now: number, limit: number): Promise<number>

  /** Deletes expired rows, at most `limit` of each kind. Returns their number. Events expire after `eventsKeptDays`. */
  sweep(now: number, limit: number, eventsKeptDays?: number): Promise<number>

  /**
   * If there are more than `keep` self-registered apps without a consent, deletes the oldest. Deletes at most `limit`
   * apps, and none that is younger than an hour. The counts of these apps are deleted first, at most `limit` at a time.
   * Returns the number of deleted rows.
   */
  sweepUnusedApps(now: number, keep: number, limit: number): Promise<number>

  /**
   * Judges the `app-registered` events after the id `after` that were recorded up to `upTo`, at most `limit`. Deletes
   * those of self-registrations with whose app nothing else happened. Returns the last judged id, or 0.
   */
  sweepRegistrations(upTo: number, after: number, limit: number): Promise<number>

  /** Checks every stored invariant while the service runs. Returns an empty list if no problem is found. */
  verify(progress?: Progress): Promise<readonly Problem[]>

  /** Writes a consistent copy while the service runs. Only SQLite supports this. Refuses to replace a file. */
  backup(file: string, progress?: Progress): Promise<void>

  close(): Promise<void>
}
