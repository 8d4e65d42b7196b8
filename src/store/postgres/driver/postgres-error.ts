/** Which errors of PostgreSQL mean that it cannot answer, which a lost race, and which a mistake in one change. */
import { StoreUnavailable } from "../../store.ts"

/** What PostgreSQL calls an error; null for one that is not its own. https://www.postgresql.org/docs/current/errcodes-appendix.html */
export function sqlStateOf(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return null
  return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null
}

/** Classes: connection, authorization, insufficient resources, operator intervention, internal error. */
const UNAVAILABLE = ["08", "28", "3D", "53", "57", "58", "XX"]

/**
 * From other classes: read-only after a failover, a transaction that was idle or ran too long, a commit with an unknown
 * outcome, a lock that was not released in time.
 */
const UNAVAILABLE_STATES: ReadonlySet<string> = new Set(["25006", "25P03", "25P04", "40003", "55P03"])

/** Serialization failure, deadlock, and conflicts with another transaction (unique, foreign key). */
const LOST_RACES: ReadonlySet<string> = new Set(["40001", "40P01", "23505", "23503"])

export function isWorthAnotherTry(error: unknown): boolean {
  return LOST_RACES.has(sqlStateOf(error) ?? "")
}

/** Another session holds what the statement needs, and the statement has not run. */
export function isLockTimeout(error: unknown): boolean {
  return sqlStateOf(error) === "55P03"
}

export function isDeadlock(error: unknown): boolean {
  return ["40001", "40P01"].includes(sqlStateOf(error) ?? "")
}

/** Whether the database is unavailable. An error without an SQLSTATE comes from the socket. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true
  const state = sqlStateOf(error)
  if (state !== null) return UNAVAILABLE_STATES.has(state) || UNAVAILABLE.includes(state.slice(0, 2))
  return error instanceof ConnectionLost || (error instanceof Error && "syscall" in error)
}

/** The error as the store's callers know it. */
export function asStoreError(error: unknown): unknown {
  if (error instanceof StoreUnavailable || !isUnavailable(error)) return error
  return new StoreUnavailable("the database cannot answer", { cause: error })
}

/** The connection is gone, and what was sent on it last may or may not have been done. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost"
}
