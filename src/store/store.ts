/**
 * The interface of the database. Every engine passes `test/store/contract/contract.ts`. The main operation is `change`:
 * it loads rows, decides, writes, commits and answers.
 */
import type { Account, AccountType, Session } from "../model/account.rules.ts"
import type { ClientId, FactorId, GrantId, Hash, TokenId, UserId } from "../kernel/ids.ts"
import type { Decided } from "../model/change.rules.ts"
import type {
  Client,
  Icon,
  RegisteredBy,
  FetchedKeys,
  SpentAssertion,
} from "../model/clients/client.rules.ts"
import type { Credential, HeldConsent } from "../model/credential.rules.ts"
import type { ClientDocument } from "../model/clients/document.rules.ts"
import type { DeviceGrant } from "../model/device-grant.rules.ts"
import type { AccountEmail, OneTimeLink } from "../model/mail/email.rules.ts"
import type { LogoKey } from "../model/appearance.rules.ts"
import type { Event, EventKind } from "../model/event.rules.ts"
import type { Factor, Passkey, CodeTries } from "../model/factor.rules.ts"
import type { ClaimedMail, ListedMail, MailBacklog, RecentMail } from "../model/mail/mail.rules.ts"
import type { Invalidation } from "../model/invalidation.rules.ts"
import type { Admission, Budget } from "../kernel/rate-limit.ts"
import type { RotationKeys } from "../model/rotation-key.rules.ts"
import type { Import, ImportedToken, Taken } from "../model/moved/import.rules.ts"
import type { SealedRow, SealedThing } from "../model/sealed.rules.ts"
import type { ServiceToken } from "../model/service-token.rules.ts"
import type { Grain, Tally } from "../model/tally.rules.ts"
import type { Identity } from "../model/sign-in/identity.rules.ts"

/** The rows that a rule can load, by their keys. A missing row is null. */
export type Loadable = {
  client: { key: ClientId; row: Client }
  /** A self-registered app without a consent, by the digest of its registration. */
  clientByRegistration: { key: Hash; row: Client }
  /** The number of apps that an account owns. This row is never null. */
  ownedApps: { key: UserId; row: { readonly count: number } }
  account: { key: UserId; row: Account }
  accountByName: { key: string; row: Account }
  /** The service accounts that a person owns. */
  serviceAccountsOf: { key: UserId; row: readonly Account[] }
  /** The owner of a service account. */
  ownerOfAccount: { key: UserId; row: Account }
  /** The service account that an app will be bound to. It is loaded in addition to `account`. */
  serviceAccount: { key: UserId; row: Account }
  /** An import, and the only one that has not finished. */
  import: { key: number; row: Import }
  openImport: { key: true; row: Import }
  /** A number above zero if rows of an import are left. This row is never null. */
  stagedRows: { key: number; row: { readonly count: number } }
  /** An imported refresh token of a finished import. */
  importedToken: { key: Hash; row: ImportedToken }
  credential: { key: TokenId; row: Credential }
  /** A credential for the check of an access token. Its code is not loaded, so `code` is null. */
  tokensOf: { key: TokenId; row: Credential }
  /** The app of a credential. `ownerOf` is the account of the credential. */
  appOf: { key: TokenId; row: Client }
  ownerOf: { key: TokenId; row: Account }
  /** An access token of a service account, by its digest. */
  serviceToken: { key: Hash; row: ServiceToken }
  /**
   * The newest access tokens of a service account's credential, newest first. There are at most `ACCESS_TOKENS_KEPT`.
   */
  latestServiceTokens: { key: TokenId; row: readonly ServiceToken[] }
  /** The credential and the service account that an app is bound to. */
  boundCredential: { key: ClientId; row: Credential }
  boundAccount: { key: ClientId; row: Account }
  deviceGrant: { key: GrantId; row: DeviceGrant }
  deviceGrantByCode: { key: Hash; row: DeviceGrant }
  /** The account that approved a device grant. */
  approverOf: { key: GrantId; row: Account }
  /** Every factor of an account, oldest first. */
  factors: { key: UserId; row: readonly Factor[] }
  factor: { key: FactorId; row: Factor }
  /** A passkey by the id that its authenticator chose. */
  passkey: { key: string; row: Passkey }
  /** A link to a person at a sign-in provider, by the digest of issuer and subject. */
  identity: { key: Hash; row: Identity }
  /** Every such link of an account, in no particular order. */
  identities: { key: UserId; row: readonly Identity[] }
  /** The number of one-time passwords and recovery codes of an account that failed in a row. */
  codeTries: { key: UserId; row: CodeTries }
  session: { key: Hash; row: Session }
  /** The credentials of an account that end with a sign-in session. */
  sessionCredentials: { key: UserId; row: readonly TokenId[] }
  /** The account of a session. */
  signedIn: { key: Hash; row: Account }
  spentTicket: { key: TokenId; row: { readonly spentAt: number } }
  knownBrowser: { key: { readonly browserHash: Hash; readonly userId: UserId }; row: { readonly at: number } }
  /** A browser that has signed in to any account. */
  anyKnownBrowser: { key: Hash; row: { readonly at: number } }
  email: { key: UserId; row: AccountEmail }
  /** A confirmed e-mail address by its canonical form. */
  emailByKey: { key: string; row: AccountEmail }
  link: { key: Hash; row: OneTimeLink }
  /** The mails of an account that wait or were queued within a day. */
  mailsOf: { key: UserId; row: readonly RecentMail[] }
  icon: { key: ClientId; row: Icon }
  fetchedKeys: { key: ClientId; row: FetchedKeys }
  spentAssertion: { key: Hash; row: SpentAssertion }
  anyClientWithKeys: { key: true; row: Client }
  document: { key: ClientId; row: ClientDocument }
  setting: { key: string; row: { readonly value: string } }
  logo: { key: LogoKey; row: Icon }
  /** A fact about the database itself, such as the check value of the service secret. */
  meta: { key: string; row: { readonly value: string } }
  /** What each running node has recorded of itself. */
  nodes: { key: true; row: readonly NodeFact[] }
  setupLink: { key: true; row: { readonly hash: Hash; readonly at: number } }
  /** The account of any one person. The row is null if the service has no account. */
  anyAccount: { key: true; row: Account }
  /** Any app that is bound to a service account. */
  anyBinding: { key: true; row: { readonly clientId: ClientId } }
  /** Any other enabled administrator who can sign in. The last administrator cannot be disabled, removed or demoted. */
  otherAdministrator: { key: UserId; row: Account }
}

export const metaKeys = {
  serviceSecretCheck: "service_secret_check",
  /** The check value of the secret that `secret rotate` is putting in place. Empty between two rotations. */
  nextSecretCheck: "next_secret_check",
  believedTime: "believed_time",
  /** The base URL that the service last served with. */
  baseUrl: "base_url",
  /** A hash without a password, of the form that most accounts of the last import have. */
  importedHash: "imported_hash",
  /** The latest `deleteAfter` of the used assertions that were deleted. */
  assertionsSwept: "assertions_swept",
} as const

/** Each running node has a fact of its own, whose key begins with this. */
export const NODE_KEY_PREFIX = "node "

export type NodeFact = { readonly key: string; readonly value: string }

/**
 * The rows to load, with at most one key of each kind. The row of a null key is null, so that an unreadable token needs
 * no special case.
 */
export type Load = { readonly [K in keyof Loadable]?: Loadable[K]["key"] | null }

export type Found<L extends Load> = {
  readonly [K in keyof L & keyof Loadable]: Loadable[K]["row"] | null
}

/** A page of a list: at most `limit` rows after the key `after`. */
export type Page = {
  readonly after?: string | undefined
  readonly limit: number
  readonly newestFirst?: boolean | undefined
}

export type AccountFilter = {
  /** The beginning of the name in canonical form. With this filter, the list is sorted by names. */
  readonly nameBegins?: string | undefined
  readonly admin?: boolean | undefined
  readonly enabled?: boolean | undefined
  readonly type?: AccountType | undefined
  /** The owner of a service account. */
  readonly ownerId?: UserId | undefined
}

export type ClientFilter = {
  readonly ownerId?: UserId | undefined
  readonly registeredBy?: RegisteredBy | undefined
  /** A part of the name. The case of ASCII letters is ignored. */
  readonly nameContains?: string | undefined
  readonly verified?: boolean | undefined
  readonly enabled?: boolean | undefined
}

export type CredentialFilter = {
  readonly userId?: UserId | undefined
  readonly clientId?: ClientId | undefined
  /** Selects credentials that are active at this time. */
  readonly live?: number | undefined
  /**
   * Selects credentials that are revoked or ended at this time. Without an account or an app, the list begins with the
   * credential that is deleted last, and `newestFirst` is ignored.
   */
  readonly over?: number | undefined
}

export type EventFilter = {
  readonly kinds?: readonly EventKind[] | undefined
  readonly userId?: UserId | undefined
  readonly clientId?: ClientId | undefined
  readonly tokenId?: TokenId | undefined
  /** Selects events from `since` on and before `until`. */
  readonly since?: number | undefined
  readonly until?: number | undefined
}

export type TallyQuery = {
  readonly grain: Grain
  /** Selects buckets that start at `since` or later, and before `until`. */
  readonly since: number
  readonly until: number
  /** Selects the counts of one app or of every app. Undefined selects the counts of the whole service. */
  readonly clientId?: ClientId | "every" | undefined
}

/** The half minutes from `first` to `last`, including both. */
export type Span = { readonly first: number; readonly last: number }

export type Gauges = {
  readonly accounts: number
  readonly apps: number
  /** The number of active credentials. Credentials that end within a day may not be counted. */
  readonly installations: number
}

export type AppUsers = {
  readonly installations: number
  readonly accounts: number
  /** Whether all active credentials of the app were counted. Counting stops at a maximum. */
  readonly isWhole: boolean
}

export type RecordedInvalidation = Invalidation & { readonly id: number }

export type Invalidations = {
  /** The newest id that was ever assigned. It is 0 before the first invalidation. */
  readonly last: number
  /** Whether all invalidations after `after` are still stored. If not, every cached check may be stale. */
  readonly isWhole: boolean
  readonly rows: readonly RecordedInvalidation[]
}

/** A credential with its current app and account. A removed app or account is null. */
export type HeldCredential = {
  readonly credential: Credential
  readonly client: Client | null
  readonly account: Account | null
}

export type RecordedEvent = Event & { readonly id: number }

/** An invariant that a stored row violates. */
export type Problem = { readonly table: string; readonly key: string; readonly problem: string }

export type Progress = (done: number, of: number) => void

export type Counter = { readonly key: string; readonly limit: Budget }

/** A request that a window counted. The window began at this time. */
export type Spent = { readonly key: string; readonly startedMs: number }

export type SpentAll =
  /**
   * The limit allows the request. `counts` has the count of each window, including this request. `giveBack` takes this
   * request back, for example after a correct password. A second call does nothing. `spent` lets a later request give
   * it back.
   */
  | {
      readonly admitted: true
      readonly counts: readonly number[]
      readonly spent: readonly Spent[]
      readonly giveBack: () => void | Promise<void>
    }
  | { readonly admitted: false; readonly retryAfterSeconds: number }

/**
 * Exact rate limit windows with the rule `admit`, for any number of concurrent requests. Windows in memory return
 * values, and shared windows return promises. `test/store/contract/windows.ts` tests both kinds.
 */
export interface Windows {
  /**
   * Counts one request for `key` if the limit allows it. A refused request does not count and does not extend the
   * window.
   */
  spend(key: string, limit: Budget): Admission | Promise<Admission>

  /** Counts one request for each key. If one key refuses, none is increased. */
  spendAll(counters: readonly Counter[]): SpentAll | Promise<SpentAll>

  /** Takes back what an earlier request counted. The caller makes sure that this happens once. */
  giveBack(spent: readonly Spent[]): void | Promise<void>

  /** Deletes every window whose key begins with `prefix`. */
  forget(prefix: string): void | Promise<void>
}

/** The poll interval of each device, with the rule `enforcePollInterval`. */
export interface SharedPollIntervals {
  /** Counts a poll. Returns null if the poll was not early. Otherwise returns the new interval in seconds. */
  poll(grantId: GrantId): number | null | Promise<number | null>

  /** Called when a grant needs no poll interval any more. */
  forget(grantId: GrantId): void
}

/** The limits and the clock that all nodes on one database share. A backup may leave the limits out. */
export type Shared = {
  /** The rate limit of the anonymous endpoints. */
  readonly budget: Pick<Windows, "spend" | "giveBack" | "forget">
  /**
   * Rate limits against guessing. They are separate from `budget`, because a flood of anonymous requests can evict its
   * windows. For the same reason each kind of counter (`kindOf`) has a bound of its own.
   */
  readonly guesses: Windows
  readonly pollIntervals: SharedPollIntervals
  /** Returns the time of the database's clock, in seconds since 1970 with a fraction. */
  readonly now: () => Promise<number>
  /** Deletes expired and excess rows in small batches. Returns the number of deleted rows. */
  readonly sweep: () => Promise<number>
}

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
  sessions(userId: UserId): Promise<readonly Session[]>
  /** Lists the links that were made through a provider, by its name in the configuration. The key is the digest. */
  identities(provider: string, page: Page): Promise<readonly Identity[]>
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

/** The database cannot answer now, but the request can be tried again. Endpoints respond with 503 and `Retry-After`. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable"
}

/**
 * Another process has locked the database or one of its tables. Nothing was written, and nothing will be written later.
 */
export class StoreLocked extends StoreUnavailable {}

/** The disk of the database is full. Nothing was written. Reads still work. */
export class StoreFull extends StoreUnavailable {}
