/**
 * What the service asks of a database. Every engine passes `test/store/contract.ts`.
 *
 * The one contract that carries everything is `change`: load, decide, write, commit, answer.
 */
import type { Account, Session } from "../records/account.rules.ts"
import type { ClientId, FactorId, GrantId, Hash, TokenId, UserId } from "../kernel/ids.ts"
import type { Decided } from "../records/change.rules.ts"
import type { Client, Icon, RegisteredBy } from "../records/client.rules.ts"
import type { Credential } from "../records/credential.rules.ts"
import type { DeviceGrant } from "../records/device-grant.rules.ts"
import type { Event, EventKind } from "../records/event.rules.ts"
import type { Factor, Passkey } from "../records/factor.rules.ts"
import type { Invalidation } from "../records/invalidation.rules.ts"
import type { Admission, Budget } from "../kernel/rate-limit.ts"
import type { RotationKeys } from "../records/rotation-key.rules.ts"
import type { Grain, Tally } from "../records/tally.rules.ts"
import type { HeldConsent } from "../records/held-consent.rules.ts"
import type { CodeTries } from "../records/failed-codes.rules.ts"

/** The rows that a rule may ask for: the key, and what is found (null if missing). */
export type Loadable = {
  client: { key: ClientId; row: Client }
  /** An app that registered itself and has no consent yet, by the digest of its registration. */
  clientByRegistration: { key: Hash; row: Client }
  /** How many apps an account owns; never null. */
  ownedApps: { key: UserId; row: { readonly count: number } }
  account: { key: UserId; row: Account }
  accountByName: { key: string; row: Account }
  credential: { key: TokenId; row: Credential }
  /** A credential without its code, which says null: all that a check of an access token looks at. */
  tokensOf: { key: TokenId; row: Credential }
  /** The app and the account of a credential. */
  appOf: { key: TokenId; row: Client }
  ownerOf: { key: TokenId; row: Account }
  deviceGrant: { key: GrantId; row: DeviceGrant }
  /** By the digest of its user code. */
  deviceGrantByCode: { key: Hash; row: DeviceGrant }
  /** The account that approved a device grant. */
  approverOf: { key: GrantId; row: Account }
  /** Every factor of an account, oldest first. */
  factors: { key: UserId; row: readonly Factor[] }
  factor: { key: FactorId; row: Factor }
  /** By the id that its authenticator gave it. */
  passkey: { key: string; row: Passkey }
  /** The codes of an account that failed in a row. */
  codeTries: { key: UserId; row: CodeTries }
  session: { key: Hash; row: Session }
  /** The account of a session. */
  signedIn: { key: Hash; row: Account }
  spentTicket: { key: TokenId; row: { readonly spentAt: number } }
  knownBrowser: { key: { readonly browserHash: Hash; readonly userId: UserId }; row: { readonly at: number } }
  icon: { key: ClientId; row: Icon }
  setting: { key: string; row: { readonly value: string } }
  /** A fact about the database itself, such as the check value of the service secret. */
  meta: { key: string; row: { readonly value: string } }
  setupLink: { key: true; row: { readonly hash: Hash; readonly at: number } }
  /** Any one account; null on an empty service. */
  anyAccount: { key: true; row: Account }
  /** Any enabled administrator but this one: the last of them is neither disabled, removed nor withdrawn. */
  otherAdministrator: { key: UserId; row: Account }
}

/** The keys of `meta`: every fact that a database holds about itself. */
export const metaKeys = {
  serviceSecretCheck: "service_secret_check",
  believedTime: "believed_time",
} as const

/** One key of each kind. A null key finds null, so that an unreadable token needs no special case. */
export type Load = { readonly [K in keyof Loadable]?: Loadable[K]["key"] | null }

export type Found<L extends Load> = {
  readonly [K in keyof L & keyof Loadable]: Loadable[K]["row"] | null
}

/** A page of a list, by key: at most `limit` rows after `after`. */
export type Page = {
  readonly after?: string | undefined
  readonly limit: number
  readonly newestFirst?: boolean | undefined
}

export type AccountFilter = {
  /** What the name begins with, in its canonical form. The list is then in the order of names. */
  readonly nameBegins?: string | undefined
  readonly admin?: boolean | undefined
  readonly enabled?: boolean | undefined
}

export type ClientFilter = {
  readonly ownerId?: UserId | undefined
  readonly registeredBy?: RegisteredBy | undefined
  /** ASCII letters match in either case. */
  readonly nameContains?: string | undefined
  readonly verified?: boolean | undefined
  readonly enabled?: boolean | undefined
}

export type CredentialFilter = {
  readonly userId?: UserId | undefined
  readonly clientId?: ClientId | undefined
  /** Only those that are active at this instant. */
  readonly live?: number | undefined
  /**
   * Only those that are revoked, or ended by this instant. Of no account and no app in particular, in the order in which
   * they will go, the last first, whatever the page says.
   */
  readonly over?: number | undefined
}

export type EventFilter = {
  readonly kinds?: readonly EventKind[] | undefined
  readonly userId?: UserId | undefined
  readonly clientId?: ClientId | undefined
  readonly tokenId?: TokenId | undefined
  /** Instants; the first is in, the second is not. */
  readonly since?: number | undefined
  readonly until?: number | undefined
}

export type TallyQuery = {
  readonly grain: Grain
  /** Buckets that begin at `since` or later and before `until`. */
  readonly since: number
  readonly until: number
  /** One app, or every app; left out, the counts of the whole service. */
  readonly clientId?: ClientId | "every" | undefined
}

/** From the first to the last, both included. */
export type Span = { readonly first: number; readonly last: number }

export type Gauges = {
  readonly accounts: number
  readonly apps: number
  /** Credentials that have more than a day left if they are not used. */
  readonly installations: number
}

export type AppUsers = {
  readonly installations: number
  readonly accounts: number
  /** False where there are more than were counted. */
  readonly isWhole: boolean
}

export type RecordedInvalidation = Invalidation & { readonly id: number }

export type Invalidations = {
  /** Of the newest there ever was; 0 before the first. */
  readonly last: number
  /** False where some between `after` and these rows are not kept any more: whatever was cached may be stale. */
  readonly isWhole: boolean
  readonly rows: readonly RecordedInvalidation[]
}

/** A credential with its app and its account as they are now; null where they are gone. */
export type HeldCredential = {
  readonly credential: Credential
  readonly client: Client | null
  readonly account: Account | null
}

export type RecordedEvent = Event & { readonly id: number }

/** A stored invariant that does not hold. */
export type Problem = { readonly table: string; readonly key: string; readonly problem: string }

export type Progress = (done: number, of: number) => void

export type Counter = { readonly key: string; readonly limit: Budget }

export type SpentAll =
  /**
   * `counts` is what each window counts now, this one included. `giveBack` takes all of it back, once: a try that turned
   * out to be right.
   */
  | {
      readonly admitted: true
      readonly counts: readonly number[]
      readonly giveBack: () => void | Promise<void>
    }
  | { readonly admitted: false; readonly retryAfterSeconds: number }

/**
 * Windows that count what was admitted, by the rule `admit`, exactly, however many ask at once. A value where memory
 * answers, else a promise; `test/store/windows-contract.ts` holds them together.
 */
export interface Windows {
  /** Counts one against `key` where the limit allows it. A refusal neither counts nor prolongs the window. */
  spend(key: string, limit: Budget): Admission | Promise<Admission>

  /** Counts one against each key, or against none where any of them refuses. */
  spendAll(counters: readonly Counter[]): SpentAll | Promise<SpentAll>

  /** Forgets every window whose key begins so. */
  forget(prefix: string): void | Promise<void>
}

/** How fast each machine polls, by the rule `enforcePollInterval`. */
export interface SharedPollIntervals {
  /** Counts a poll. Null where it keeps pace, else the interval in seconds that the machine must keep to from now on. */
  poll(grantId: GrantId): number | null | Promise<number | null>

  /** The grant is no longer polled, or its poll interval no longer matters. */
  forget(grantId: GrantId): void
}

/** What all nodes on one database count together. Nothing of it is worth a backup. */
export type Shared = {
  /** The budget of the anonymous endpoints. */
  readonly budget: Windows
  /** What slows guessing down. Apart from the budget, so that no flood of addresses makes it forget. */
  readonly guesses: Windows
  readonly pollIntervals: SharedPollIntervals
  /** The clock of the database, in seconds since 1970 with their fraction. */
  readonly now: () => Promise<number>
  /** Removes, in small batches, what has had its time or is too much; answers how many rows went. */
  readonly sweep: () => Promise<number>
}

export interface Store {
  /**
   * Null where one process serves the database: its memory counts. `nowMs` are milliseconds that all nodes agree on; left
   * out, those of the database's own clock.
   */
  share(nowMs?: () => number): Shared | null

  /**
   * Loads the rows, locks them, calls `decide`, applies its changes and commits; resolves with the answer only when
   * the changes are on stable storage. `decide` is synchronous and pure, and may run again after a conflict: ids and
   * secrets are made before it. Concurrent changes to one row happen one after the other.
   *
   * Throws `StoreUnavailable` when nothing was written, or when it is not known whether it was.
   */
  change<const L extends Load, A>(load: L, decide: (found: Found<L>) => Decided<A>): Promise<A>

  /** Loads the rows as one consistent view, without locks. */
  read<const L extends Load>(load: L): Promise<Found<L>>

  /**
   * The rotation keys of a span of half minutes: those that are stored, and of `proposed` what is missing. All others are
   * removed. It is on stable storage when this resolves; of several that propose at once the first wins. No backup and no
   * move has them.
   */
  keepRotationKeys(span: Span, proposed: RotationKeys): Promise<RotationKeys>

  /** Lists, in the order of their ids (oldest first); events newest first. */
  accounts(page: Page, filter?: AccountFilter): Promise<readonly Account[]>
  clients(page: Page, filter?: ClientFilter): Promise<readonly Client[]>
  credentials(filter: CredentialFilter, page: Page): Promise<readonly HeldCredential[]>
  sessions(userId: UserId): Promise<readonly Session[]>
  settings(): Promise<ReadonlyMap<string, string>>
  events(filter: EventFilter, page: Page): Promise<readonly RecordedEvent[]>

  /** Counts, in no order; buckets without any are left out. */
  tallies(query: TallyQuery): Promise<readonly Tally[]>

  /**
   * Counts of every app by the day, summed over the days from `since` and before `until`; `at` is `since`. One name of an
   * app may come in several parts. Read bit by bit, as `consentsOf` is.
   */
  talliesOfApps(since: number, until: number): Promise<readonly Tally[]>

  gauges(now: number): Promise<Gauges>

  /** Of the figures, in no hurry: it may take longer and leaves others their time. */
  installations(now: number): Promise<number>

  /** Who uses an app: its active credentials and their accounts, counted among the first `most` credentials. */
  usersOf(clientId: ClientId, now: number, most: number): Promise<AppUsers>

  /** The active credentials of an app or an account, grouped. Read in pieces, so that a long list delays no request. */
  consentsOf(
    of: { readonly clientId: ClientId } | { readonly userId: UserId },
    now: number,
  ): Promise<readonly HeldConsent[]>

  /** What made checks stale since the invalidation `after`, oldest first. */
  invalidations(after: number, limit: number): Promise<Invalidations>

  /**
   * Whether another process holds a lock that changes need. Reads are answered all the same, but for those of a table on
   * PostgreSQL that is locked even against them: these throw `StoreLocked` too.
   */
  isLocked(): boolean | Promise<boolean>

  /** Removes rows whose time has gone, at most `limit` of a kind; answers how many went. Events go after `eventsKeptDays`. */
  sweep(now: number, limit: number, eventsKeptDays?: number): Promise<number>

  /**
   * Removes apps that registered themselves and got no consent yet, the oldest first, where there are more than `keep`: at
   * most `limit` at a time, and none younger than an hour. Their counts go first, at most `limit` too. Answers how many rows
   * went.
   */
  sweepUnusedApps(now: number, keep: number, limit: number): Promise<number>

  /** Checks every stored invariant. Runs beside a server; answers an empty list where all hold. */
  verify(progress?: Progress): Promise<readonly Problem[]>

  /** Writes a consistent copy while the service runs. SQLite only; refuses an existing file. */
  backup(file: string, progress?: Progress): Promise<void>

  close(): Promise<void>
}

/** The database cannot answer now. Waiting helps: 503 with `Retry-After`. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable"
}

/** Another process has locked the database, or a table of it: nothing was written, and the change is never made. */
export class StoreLocked extends StoreUnavailable {}
