/** The SQLite engine: one file, one writer at a time, and durable group commit. */
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import type { ClientId, UserId } from "../../kernel/ids.ts"
import type { Decided } from "../../model/change.rules.ts"
import { EVENTS_KEPT_DAYS } from "../../kernel/limits.ts"
import type { RotationKeys } from "../../model/rotation-key.rules.ts"
import { fileProblem } from "../../kernel/process/file-problem.ts"
import { DAY } from "../../kernel/time.ts"
import type { CredentialFilter, EventFilter, Page, Problem, Progress, Span } from "../list-shapes.ts"
import type { Found, Load } from "../loadable.ts"
import type { Store } from "../store.ts"
import { StoreUnavailable } from "../unavailable.ts"
import { Checkpointer } from "./engine/checkpointer.ts"
import { connect, connectToRead, type Connection } from "./engine/connection.ts"
import * as statistics from "./statements/statistics.ts"
import { GroupCommit } from "./group-commit.ts"
import { listInvalidations } from "./statements/invalidations.ts"
import { claimMails } from "./statements/mails.ts"
import { listEvents } from "./statements/list-events.ts"
import type { Query } from "../statements/queries.ts"
import { SharedLists } from "../statements/shared-lists.ts"
import * as list from "./statements/list.ts"
import { loadRows } from "./statements/load.ts"
import { LogSync } from "./engine/log-sync.ts"
import { migrate, schema, versionOf } from "./migrate.ts"
import { refuseChange, type SchemaOptions, versionOfLast } from "../schema-steps.ts"
import { RotationKeyFile } from "./statements/rotation-key-file.ts"
import { asStoreError, isLocked, isRefusedFile } from "./engine/sqlite-error.ts"
import { sweepRegistrations } from "./statements/sweep-registrations.ts"
import { sweepUnusedApps } from "./statements/sweep-unused-apps.ts"
import { endExpiredSessions, sweep } from "./statements/sweep.ts"
import { databaseLocked } from "./engine/write-lock.ts"

export type SqliteOptions = SchemaOptions & {
  /** The longest time that the connection waits for the write of another process. */
  readonly busyMilliseconds?: number | undefined
  /**
   * The longest time that a change of a server waits for the lock of another process. After that, the change is
   * refused. Once the database is open, the event loop itself never waits.
   */
  readonly lockWaitMs?: number | undefined
  /** The store calls this with the number of changes of each transaction. */
  readonly committed?: ((changes: number) => void) | undefined
  /** The store calls this once if the disk fails to sync the log. Every call is then refused until a restart. */
  readonly diskFailed?: ((failure: StoreUnavailable) => void) | undefined
}

/**
 * Opens the database in `file`. Creates it (mode 0600) if needed. Throws if the file is not a database, if a newer
 * version wrote it, or if an older one wrote it and the options do not allow to migrate.
 */
export function openSqlite(file: string, options: SqliteOptions = {}): Store {
  const connection = opened(file, options)
  if (options.lockWaitMs !== undefined) connection.waitForNoLock()
  return new SqliteStore(file, connection, options)
}

function opened(file: string, options: SqliteOptions): Connection {
  let connection: Connection | null = null
  try {
    refuseSchema(file, options)
    connection = connect(file, options.busyMilliseconds)
    const from = migrate(connection)
    if (from !== null && from !== 0) options.migrated?.(from, versionOfLast(schema))
    return connection
  } catch (error) {
    connection?.close()
    if (isLocked(error)) throw databaseLocked(error)
    const problem = isRefusedFile(error)
      ? fileProblem([dirname(file), file, `${file}-wal`, `${file}-shm`])
      : null
    throw problem === null ? error : new Error(problem, { cause: error })
  }
}

/** Looks at the version with a connection that cannot write. */
function refuseSchema(file: string, options: SqliteOptions): void {
  if (options.mayMigrate === true || !existsSync(file)) return
  const connection = connectToRead(file, options.busyMilliseconds)
  try {
    refuseChange(versionOf(connection), schema, options, file)
  } finally {
    connection.close()
  }
}

class SqliteStore extends SharedLists implements Store {
  protected readonly clientSearch = list.clientSearch
  readonly #file: string
  readonly #connection: Connection
  readonly #log: LogSync
  readonly #groupCommit: GroupCommit
  readonly #checkpointer: Checkpointer
  /**
   * When its last connection closes, SQLite copies the log into the file and removes the log. A read-only connection
   * does not do this. After a disk failure, the copy could contain lost pages. This read-only connection then closes
   * last, and the next start reads the part of the log whose checksums match.
   */
  readonly #keeper: Connection
  readonly #rotationKeys: RotationKeyFile
  #isClosed = false

  constructor(file: string, connection: Connection, options: SqliteOptions) {
    super()
    this.#file = file
    this.#rotationKeys = new RotationKeyFile(file)
    this.#connection = connection
    const checkpointer = new Checkpointer(file, () => {
      // Pages that the disk lost must not get into the database file.
      if (this.#log.failure === null) connection.copyLog()
    })
    this.#keeper = connectToRead(file)
    this.#keeper.one("SELECT 1 FROM sqlite_schema LIMIT 1")
    this.#log = new LogSync(file, (failure) => options.diskFailed?.(failure))
    const committed = (changes: number) => {
      checkpointer.committed(changes)
      options.committed?.(changes)
    }
    const lockWaitMs = options.lockWaitMs ?? null
    this.#groupCommit = new GroupCommit(connection, this.#log, { committed, lockWaitMs })
    this.#checkpointer = checkpointer
  }

  share(): null {
    return null
  }

  change<const L extends Load, A>(load: L, decide: (found: Found<L>) => Decided<A>): Promise<A> {
    return this.#groupCommit.change(load, decide)
  }

  read<const L extends Load>(load: L): Promise<Found<L>> {
    return this.#view((connection) => loadRows(connection, load, new Map()))
  }

  keepRotationKeys(span: Span, proposed: RotationKeys): Promise<RotationKeys> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable("the store is closed"))
    return this.#rotationKeys.keep(span, proposed).catch((error: Error) => {
      const problem = fileProblem([`${this.#file}.keys`, `${this.#file}.keys.new`])
      throw new StoreUnavailable(problem ?? `the rotation keys cannot be stored: ${error.message}`, {
        cause: error,
      })
    })
  }

  credentials(filter: CredentialFilter, page: Page) {
    return this.#view((connection) => list.listCredentials(connection, filter, page))
  }

  taken(userIds: readonly string[], usernameKeys: readonly string[], tokenHashes: readonly string[]) {
    return this.#view((connection) => list.listTaken(connection, userIds, usernameKeys, tokenHashes))
  }

  events(filter: EventFilter, page: Page) {
    return this.#view((connection) => listEvents(connection, filter, page))
  }

  gauges(now: number) {
    return statistics.readGauges((body) => this.#view(body), now)
  }

  installations(now: number) {
    return statistics.countInstallations((body) => this.#view(body), now)
  }

  talliesOfApps(since: number, until: number) {
    return statistics.sumTalliesOfApps((body) => this.#view(body), since, until)
  }

  usersOf(clientId: ClientId, now: number, most: number) {
    return this.#view((connection) => statistics.countUsers(connection, clientId, now, most))
  }

  consentsOf(of: { readonly clientId: ClientId } | { readonly userId: UserId }, now: number) {
    return statistics.heldConsents((body) => this.#view(body), of, now)
  }

  invalidations(after: number, limit: number) {
    return this.#view((connection) => listInvalidations(connection, after, limit))
  }

  claimMails(now: number, leaseEndsAt: number, limit: number) {
    return this.#answer(() => claimMails(this.#connection, now, leaseEndsAt, limit))
  }

  isLocked(): boolean {
    return this.#groupCommit.isLocked()
  }

  endExpiredSessions(now: number, limit: number): Promise<number> {
    return this.#answer(() => unlessLocked(() => endExpiredSessions(this.#connection, now, limit)))
  }

  sweep(now: number, limit: number, eventsKeptDays: number = EVENTS_KEPT_DAYS.usual): Promise<number> {
    return this.#answer(() => unlessLocked(() => sweep(this.#connection, now, limit, eventsKeptDays * DAY)))
  }

  sweepRegistrations(upTo: number, after: number, limit: number): Promise<number> {
    return this.#answer(() => unlessLocked(() => sweepRegistrations(this.#connection, upTo, after, limit)))
  }

  sweepUnusedApps(now: number, keep: number, limit: number): Promise<number> {
    return this.#answer(() => unlessLocked(() => sweepUnusedApps(this.#connection, now, keep, limit)))
  }

  async verify(progress?: Progress): Promise<readonly Problem[]> {
    const { verifyFile } = await import("./verify/verify-file.ts")
    return verifyFile(this.#file, progress)
  }

  async backup(file: string, progress?: Progress): Promise<void> {
    const { backUp } = await import("./engine/backup.ts")
    return backUp(this.#file, file, progress)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#groupCommit.close()
    await this.#checkpointer.close()
    const [first, last] =
      this.#log.failure === null ? [this.#keeper, this.#connection] : [this.#connection, this.#keeper]
    first.close()
    last.close()
    this.#log.close()
  }

  protected ask<T>({ sql, values, of }: Query<T>): Promise<T> {
    return this.#view((connection) => of(connection.all(sql, ...values)))
  }

  protected askLong<T>(query: Query<T>): Promise<T> {
    return this.ask(query)
  }

  /** Runs `body` on one consistent view, even while other processes write. */
  #view<T>(body: (connection: Connection) => T): Promise<T> {
    return this.#answer(() => this.#connection.view(() => body(this.#connection)))
  }

  /** Runs `body`. The result may depend on a commit that is not on disk yet, so the answer waits for the sync. */
  #answer<T>(body: () => T): Promise<T> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable("the store is closed"))
    try {
      const answer = body()
      return this.#log.isSettled ? Promise.resolve(answer) : this.#log.settled().then(() => answer)
    } catch (error) {
      return Promise.reject(asStoreError(error))
    }
  }
}

/** Returns the number of deleted rows, or 0 while another process has locked the database. */
function unlessLocked(body: () => number): number {
  try {
    return body()
  } catch (error) {
    if (isLocked(error)) return 0
    throw error
  }
}
