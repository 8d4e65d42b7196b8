/** Why a move failed, for the operator. Messages of PostgreSQL never contain a password. */
import { sqlStateOf } from "../postgres/driver/postgres-error.ts"
import { StoreUnavailable } from "../store.ts"
import { Unstorable } from "./copy-text.ts"

export class MoveFailed extends Error {
  override readonly name = "MoveFailed"
  /** What that means for both databases, and what to do. */
  readonly consequences: readonly string[]

  constructor(message: string, consequences: readonly string[], cause: unknown) {
    super(message, { cause })
    this.consequences = consequences
  }
}

/** Why a database cannot be moved to. */
export class NotATarget extends Error {
  override readonly name = "NotATarget"
}

/** A row of the target is not the row of the source. */
export class NotTheSame extends Error {
  override readonly name = "NotTheSame"
}

const NOTHING_MOVED = ["Nothing was moved: the target holds no row of it, and the source is as it was."]

export const UNCERTAIN = [
  "It was all sent, and it is not known whether the target kept it: look there with verify. Either everything is there, " +
    "or nothing, and then the move can be begun again.",
]

export const UNVERIFIED = [
  "Everything was moved and compared, but not checked: run verify on the new database.",
]

/** The error for people; one that is a mistake of this program stays what it is. */
export function asMoveFailed(error: unknown, consequences: readonly string[] = NOTHING_MOVED): unknown {
  if (error instanceof NotATarget)
    return new MoveFailed(`The target is not empty: ${error.message}.`, consequences, error)
  if (error instanceof Unstorable)
    return new MoveFailed(`PostgreSQL cannot store what is in ${error.message}.`, consequences, error)
  if (error instanceof NotTheSame)
    return new MoveFailed(`The target did not keep what it was sent: ${error.message}.`, consequences, error)
  if (error instanceof StoreUnavailable)
    return new MoveFailed(`The target cannot be used: ${error.message}.`, consequences, error)
  if (sqlStateOf(error) !== null || isOfSocket(error))
    return new MoveFailed(`The target says: ${(error as Error).message}.`, consequences, error)
  // A message of `openDatabase` about an unusable server.
  if (error instanceof Error && error.constructor === Error)
    return new MoveFailed(`The target cannot be used: ${error.message}.`, consequences, error)
  return error
}

function isOfSocket(error: unknown): boolean {
  return error instanceof Error && "syscall" in error
}
