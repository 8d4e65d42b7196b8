/** Classifies errors of SQLite: the database is unavailable, or only one change fails. */
import { StoreFull, StoreUnavailable } from "../../unavailable.ts"

/** Primary result codes of errors that concern only one statement. https://www.sqlite.org/rescode.html */
const OWN_FAULTS: ReadonlySet<number> = new Set([
  1, // SQLITE_ERROR
  18, // SQLITE_TOOBIG
  19, // SQLITE_CONSTRAINT
  20, // SQLITE_MISMATCH
  21, // SQLITE_MISUSE
  25, // SQLITE_RANGE
])

function primaryCode(error: unknown): number | null {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return null
  return error.errcode & 0xff
}

/** Another connection has a lock: SQLITE_BUSY. */
const BUSY = 5

/** No room on the disk: SQLITE_FULL. */
const FULL = 13

export function isLocked(error: unknown): boolean {
  return primaryCode(error) === BUSY
}

/** The file may not be opened or written: SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, or the system says so. */
export function isRefusedFile(error: unknown): boolean {
  const code = primaryCode(error)
  if (code === 14 || code === 8 || code === 3) return true
  return error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EPERM")
}

/** Whether the database cannot be used. It is busy, full, read-only, unreadable or closed. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true
  const code = primaryCode(error)
  return code !== null && !OWN_FAULTS.has(code)
}

/** Wraps an error in `StoreUnavailable` if the database is unavailable. Returns other errors unchanged. */
export function asStoreError(error: unknown): unknown {
  if (error instanceof StoreUnavailable || !isUnavailable(error)) return error
  if (primaryCode(error) === FULL) return new StoreFull("the disk of the database is full", { cause: error })
  return new StoreUnavailable("the database cannot answer", { cause: error })
}
