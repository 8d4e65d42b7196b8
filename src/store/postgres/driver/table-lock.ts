/**
 * Detects that another session has locked a whole table, for example during a migration. A statement of a request waits
 * half a second for a lock (`LOCK_WAIT_MS`). A query then finds out whether the table is locked, or only a row. While a
 * table is locked, requests are refused at once, and a probe waits for the release. Interface LOAD-5.
 */
import { StoreLocked } from "../../unavailable.ts"
import type { Connection } from "./connection.ts"
import type { Pool } from "./pool.ts"
import { asStoreError, isLockTimeout } from "./postgres-error.ts"

/** The kind of access to a table. A table that cannot be read cannot be written either. */
export type Access = "read" | "write"

/** The tables that requests need. The table of the set-up link is missing, because the service itself locks it. */
export const neededTables = [
  "account",
  "account_group",
  "client",
  "icon",
  "client_document",
  "credential",
  "device_grant",
  "factor",
  "identity",
  "code_tries",
  "service_token",
  "session",
  "session_credential",
  "remembered_consent",
  "organization_block",
  "known_browser",
  "email",
  "one_time_link",
  "outbox",
  "invitation",
  "import",
  "imported_token",
  "removed_account",
  "spent_ticket",
  "fetched_keys",
  "spent_assertion",
  "setting",
  "signing_key",
  "logo",
  "applied",
  "membership",
  "meta",
  "event",
  "invalidation",
  "invalidation_last",
  "spent",
  "schema_version",
] as const

/**
 * The longest time that a probe waits for a lock. Brief locks end earlier, and a vacuum gives way to waiting sessions.
 */
const QUESTION_MS = 100
/** The pause between two probes. The pause is short, because a release during the pause is noticed late. */
const PAUSE_MS = 20

/** An answer of "not locked" is cached for this long. */
const FRESH_MS = 250

const lockAll = (mode: string) => `LOCK TABLE ${neededTables.join(", ")} IN ${mode} MODE`
const QUESTION = [
  "BEGIN",
  `SET LOCAL lock_timeout = ${QUESTION_MS}`,
  lockAll("ACCESS SHARE"),
  lockAll("ROW EXCLUSIVE"),
  "ROLLBACK",
]

export class TableLock {
  readonly #pool: Pool
  /** The access that is known to be blocked, or null. If reading is blocked, writing is blocked too. */
  #refused: Access | null = null
  #asked: Promise<boolean> | null = null
  #timer: NodeJS.Timeout | undefined
  /** The time of the last probe, on the clock of `performance.now()`. */
  #lookedAt = -Infinity

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Throws if `access` is known to be blocked. */
  refuse(access: Access): void {
    if (this.#refused === "read" || this.#refused === access) throw tableLocked()
  }

  /**
   * Whether a table is locked. Anonymous callers ask this. They share one probe, which runs at most four times a
   * second.
   */
  isHeld(): boolean | Promise<boolean> {
    if (this.#refused !== null) return true
    return performance.now() - this.#lookedAt < FRESH_MS ? false : this.#ask()
  }

  /**
   * Returns `StoreLocked` if a table lock caused `error`. Otherwise returns `error`. `connection` must have no open
   * transaction.
   */
  async explain(error: unknown, connection: Connection): Promise<unknown> {
    if (!isLockTimeout(error)) return error
    if (this.#refused === null) await this.#look(connection)
    return this.#refused === null ? error : tableLocked(error)
  }

  #ask(): Promise<boolean> {
    this.#asked ??= this.#lookAgain().finally(() => (this.#asked = null))
    return this.#asked
  }

  async #lookAgain(): Promise<boolean> {
    try {
      const connection = await this.#pool.borrow()
      await this.#look(connection).finally(() => this.#pool.giveBack(connection))
    } catch (error) {
      throw asStoreError(error)
    }
    return this.#refused !== null
  }

  async #look(connection: Connection): Promise<void> {
    const [, , reading, writing] = await Promise.allSettled(QUESTION.map((sql) => connection.query(sql, [])))
    this.#lookedAt = performance.now()
    this.#refused = isRefused(reading) ? "read" : isRefused(writing) ? "write" : null
    clearTimeout(this.#timer)
    if (this.#refused === null) return
    // If the probe fails for another reason, requests run again and meet that error themselves.
    const again = () => void this.#ask().catch(() => (this.#refused = null))
    this.#timer = setTimeout(again, PAUSE_MS).unref()
  }
}

function isRefused(one: PromiseSettledResult<unknown> | undefined): boolean {
  return one?.status === "rejected" && isLockTimeout(one.reason)
}

function tableLocked(cause?: unknown): StoreLocked {
  return new StoreLocked("another session has locked a table of the database", { cause })
}
