/** The PostgreSQL engine. Any number of nodes share one database. A node itself stores nothing. */
import type { ClientId, UserId } from "../../kernel/ids.ts"
import type { Decided } from "../../model/change.rules.ts"
import { EVENTS_KEPT_DAYS } from "../../kernel/limits.ts"
import type { RotationKeys } from "../../model/rotation-key.rules.ts"
import { DAY } from "../../kernel/time.ts"
import type { CredentialFilter, EventFilter, Page, Problem, Progress, Span } from "../list-shapes.ts"
import type { Found, Load } from "../loadable.ts"
import type { Shared } from "../limits.ts"
import type { Store } from "../store.ts"
import { StoreLocked } from "../unavailable.ts"
import { withLongTimeout } from "./driver/long-timeout.ts"
import { ChangeQueue } from "./batching/change-queue.ts"
import type { Database, Reader } from "./driver/database.ts"
import * as statistics from "./statements/statistics.ts"
import { listInvalidations } from "./statements/invalidations.ts"
import { claimMails } from "./statements/mails.ts"
import { listEvents } from "./statements/list-events.ts"
import type { Query } from "../statements/queries.ts"
import { SharedLists } from "../statements/shared-lists.ts"
import * as list from "./statements/list.ts"
import { openDatabase, type OpenOptions } from "./open-database.ts"
import { keepRotationKeys } from "./statements/rotation-keys.ts"
import { sharedOn } from "./limits/shared.ts"
import { sweepRegistrations } from "./statements/sweep-registrations.ts"
import { sweepUnusedApps } from "./statements/sweep-unused-apps.ts"
import { endExpiredSessions, sweep } from "./statements/sweep.ts"

export type PostgresOptions = OpenOptions & {
  /** The maximum number of batches of changes that run at a time. */
  readonly batchesAtMost?: number | undefined
  /** The store calls this with the number of changes of each commit. */
  readonly committed?: ((changes: number) => void) | undefined
  /** The store calls this at its start, with a function that returns the number of waiting callers. */
  readonly waiting?: ((count: () => number) => void) | undefined
}

/**
 * The maximum number of batches that run at the same time. More batches would be smaller. With one batch, the database
 * would be idle while rules decide.
 */
const BATCHES_AT_MOST = 2

/**
 * Opens the database at `url` (`postgres://…`). Throws an error with a message for people.
 * Throws `StoreUnavailable` if the server is away.
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Store> {
  const store = new PostgresStore(await openDatabase(url, options), options)
  options.waiting?.(() => store.waiting)
  return store
}

class PostgresStore extends SharedLists implements Store {
  protected readonly clientSearch = list.clientSearch
  readonly #database: Database
  readonly #queue: ChangeQueue
  /** Combines reads, which do not wait for commits. */
  readonly #reads: ChangeQueue
  #closed: Promise<void> | null = null

  constructor(database: Database, { batchesAtMost = BATCHES_AT_MOST, committed }: PostgresOptions) {
    super()
    this.#database = database
    this.#queue = new ChangeQueue(database, batchesAtMost, committed)
    this.#reads = new ChangeQueue(database, batchesAtMost)
  }

  /** The number of callers that wait for a connection or for their turn. */
  get waiting(): number {
    return this.#queue.waiting + this.#reads.waiting + this.#database.pool.waiting
  }

  change<const L extends Load, A>(load: L, decide: (found: Found<L>) => Decided<A>): Promise<A> {
    return this.#queue.change(load, decide)
  }

  share(nowMs?: () => number): Shared {
    return sharedOn(this.#database, nowMs)
  }

  /** Reads rows in a batch, as a change without writes does. */
  read<const L extends Load>(load: L): Promise<Found<L>> {
    return this.#reads.read(load)
  }

  keepRotationKeys(span: Span, proposed: RotationKeys): Promise<RotationKeys> {
    return keepRotationKeys(this.#database, span, proposed)
  }

  credentials(filter: CredentialFilter, page: Page) {
    return this.#database.view((reader) => list.listCredentials(reader, filter, page))
  }

  taken(userIds: readonly string[], usernameKeys: readonly string[], tokenHashes: readonly string[]) {
    return this.#database.view((reader) => list.listTaken(reader, userIds, usernameKeys, tokenHashes))
  }

  events(filter: EventFilter, page: Page) {
    return this.#database.view((reader) => listEvents(reader, filter, page))
  }

  gauges(now: number) {
    return withLongTimeout(this.#database, (reader) => statistics.readGauges(reader, now))
  }

  installations(now: number) {
    return withLongTimeout(this.#database, (reader) => statistics.countInstallations(reader, now))
  }

  talliesOfApps(since: number, until: number) {
    return withLongTimeout(this.#database, (reader) => statistics.sumTalliesOfApps(reader, since, until))
  }

  usersOf(clientId: ClientId, now: number, most: number) {
    return this.#database.view((reader) => statistics.countUsers(reader, clientId, now, most))
  }

  consentsOf(of: { readonly clientId: ClientId } | { readonly userId: UserId }, now: number) {
    return statistics.heldConsents(this.#database.read, of, now)
  }

  invalidations(after: number, limit: number) {
    return listInvalidations(this.#database.read, after, limit)
  }

  claimMails(now: number, leaseEndsAt: number, limit: number) {
    return claimMails(this.#database, now, leaseEndsAt, limit)
  }

  isLocked(): boolean | Promise<boolean> {
    return this.#database.tableLock.isHeld()
  }

  endExpiredSessions(now: number, limit: number): Promise<number> {
    return unlessLocked(endExpiredSessions(this.#database, now, limit))
  }

  sweep(now: number, limit: number, eventsKeptDays: number = EVENTS_KEPT_DAYS.usual): Promise<number> {
    return unlessLocked(sweep(this.#database, now, limit, eventsKeptDays * DAY))
  }

  sweepUnusedApps(now: number, keep: number, limit: number): Promise<number> {
    return unlessLocked(sweepUnusedApps(this.#database, now, keep, limit))
  }

  sweepRegistrations(upTo: number, after: number, limit: number): Promise<number> {
    return unlessLocked(sweepRegistrations(this.#database, upTo, after, limit))
  }

  async verify(progress?: Progress): Promise<readonly Problem[]> {
    const { verifyDatabase } = await import("./verify/verify-database.ts")
    return verifyDatabase(this.#database, progress)
  }

  backup(): Promise<void> {
    return Promise.reject(
      new Error(
        "a PostgreSQL database is backed up with its own means: pg_dump copies it while the service runs",
      ),
    )
  }

  close(): Promise<void> {
    this.#closed ??= Promise.all([this.#queue.close(), this.#reads.close()]).then(() =>
      this.#database.close(),
    )
    return this.#closed
  }

  protected ask<T>(query: Query<T>): Promise<T> {
    return ask(this.#database.read, query)
  }

  protected askLong<T>(query: Query<T>): Promise<T> {
    return this.#database.view((reader) => ask(reader, query))
  }
}

async function ask<T>(reader: Reader, { sql, values, of }: Query<T>): Promise<T> {
  return of(await reader.all(sql, ...values))
}

/** Returns the number of deleted rows, or 0 if another session has locked a table. The next round soon tries again. */
function unlessLocked(gone: Promise<number>): Promise<number> {
  return gone.catch((error: unknown) => {
    if (error instanceof StoreLocked) return 0
    throw error
  })
}
