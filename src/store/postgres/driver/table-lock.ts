/**
 * A lock of another session on a whole table, for example by a migration or an operator's console. A statement of a
 * request waits half a second for it (`LOCK_WAIT_MS`). Then the server is asked whether the table is locked, or only a row
 * that another node holds. While the table is locked, requests are refused at once, and a probe finds out when it is free.
 * Interface LOAD-5.
 */
import { StoreLocked } from "../../store.ts"
import type { Connection } from "./connection.ts"
import type { Pool } from "./pool.ts"
import { asStoreError, isLockTimeout } from "./postgres-error.ts"

/** What a statement does. Where a table cannot be read, it cannot be written either. */
export type Access = "read" | "write"

/** The tables that requests need. The service itself locks the set-up link, and only upkeep needs the others. */
export const neededTables = [
  "account",
  "client",
  "icon",
  "credential",
  "device_grant",
  "factor",
  "code_tries",
  "session",
  "known_browser",
  "spent_ticket",
  "setting",
  "meta",
  "event",
  "invalidation",
  "invalidation_last",
  "spent",
  "schema_version",
] as const

/** Longer than locks that are held in passing; a vacuum yields to waiting sessions. */
const QUESTION_MS = 100
/** A waiting probe is answered as soon as the lock is released; between two probes the release is seen late. */
const PAUSE_MS = 20

/** An answer of "not locked" is given again for this long. */
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
  /** The access that is known to be blocked; blocked reading blocks everything. */
  #refused: Access | null = null
  #asked: Promise<boolean> | null = null
  #timer: NodeJS.Timeout | undefined
  /** When the tables were last looked at, in milliseconds of `performance.now()`. */
  #lookedAt = -Infinity

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Throws where `access` would wait. */
  refuse(access: Access): void {
    if (this.#refused === "read" || this.#refused === access) throw tableLocked()
  }

  /** Whether a table is locked. Anonymous callers ask this: they share one question, at most four times a second. */
  isHeld(): boolean | Promise<boolean> {
    if (this.#refused !== null) return true
    return performance.now() - this.#lookedAt < FRESH_MS ? false : this.#ask()
  }

  /** The error of a statement that failed on `connection`, which has no transaction open: it may have met a locked table. */
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
    // If the server is away, all callers get that error.
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
