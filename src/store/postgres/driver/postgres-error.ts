/**
 * Classifies errors of PostgreSQL. The database is unavailable, another transaction conflicts, or only one change
 * fails.
 */
import { StoreFull, StoreUnavailable } from "../../unavailable.ts"

/**
 * Returns the SQLSTATE of an error (postgresql.org/docs/current/errcodes-appendix.html). Returns null for other errors.
 */
export function sqlStateOf(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return null
  return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null
}

/**
 * These classes of SQLSTATE mean that the database is unavailable: connection, authorization, unknown database,
 * insufficient resources, operator intervention, system error, internal error.
 */
const UNAVAILABLE = ["08", "28", "3D", "53", "57", "58", "XX"]

/**
 * These single SQLSTATEs also mean that the database is unavailable: read-only after failover, timeout of an idle
 * transaction, timeout of a transaction, unknown commit outcome, lock timeout.
 */
const UNAVAILABLE_STATES: ReadonlySet<string> = new Set(["25006", "25P03", "25P04", "40003", "55P03"])

/** Another transaction conflicts: serialization failure, deadlock, unique constraint, foreign key. */
const LOST_RACES: ReadonlySet<string> = new Set(["40001", "40P01", "23505", "23503"])

export function isWorthAnotherTry(error: unknown): boolean {
  return error instanceof LostRace || LOST_RACES.has(sqlStateOf(error) ?? "")
}

/** Whether a statement waited too long for a lock of another session. The statement had no effect. */
export function isLockTimeout(error: unknown): boolean {
  return sqlStateOf(error) === "55P03"
}

export function isDeadlock(error: unknown): boolean {
  return ["40001", "40P01"].includes(sqlStateOf(error) ?? "")
}

/** The disk of the server is full. */
const DISK_FULL = "53100"

/** Whether the database is unavailable. An error without an SQLSTATE comes from the socket. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true
  const state = sqlStateOf(error)
  if (state !== null) return UNAVAILABLE_STATES.has(state) || UNAVAILABLE.includes(state.slice(0, 2))
  return error instanceof ConnectionLost || (error instanceof Error && "syscall" in error)
}

/** Wraps an error in `StoreUnavailable` if the database is unavailable. Returns other errors unchanged. */
export function asStoreError(error: unknown): unknown {
  if (error instanceof StoreUnavailable || !isUnavailable(error)) return error
  if (sqlStateOf(error) === DISK_FULL)
    return new StoreFull("the disk of the database is full", { cause: error })
  return new StoreUnavailable("the database cannot answer", { cause: error })
}

/** Another transaction changed a row after this change had read it. The change had no effect and is decided again. */
export class LostRace extends Error {
  override readonly name = "LostRace"
}

/** The connection was lost. The last statements may or may not have run. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost"
}
