/** The message about a failed move, for the operator. PostgreSQL's messages contain no password. */
import { withPeriod } from "../../kernel/words.ts"
import { sqlStateOf } from "../postgres/driver/postgres-error.ts"
import { StoreUnavailable } from "../unavailable.ts"
import { Unstorable } from "./copy-text.ts"

export class MoveFailed extends Error {
  override readonly name = "MoveFailed"
  /** The state in which both databases are left, and what to do. */
  readonly consequences: readonly string[]

  constructor(message: string, consequences: readonly string[], cause: unknown) {
    super(message, { cause })
    this.consequences = consequences
  }
}

/** The target database cannot receive the rows. */
export class NotATarget extends Error {
  override readonly name = "NotATarget"
}

/** A row of the target differs from the row of the source. */
export class NotTheSame extends Error {
  override readonly name = "NotTheSame"
}

const NOTHING_MOVED = ["Nothing was moved: the target received no rows, and the source is unchanged."]

export const UNCERTAIN = [
  "All rows were sent, but it is not known whether the target committed them. Run verify on the target: it holds either " +
    "everything or nothing. If it holds nothing, start the move again.",
]

export const UNVERIFIED = [
  "Everything was moved and compared, but not checked: run verify on the new database.",
]

/** Converts an error into a message for the operator. A programming error is returned unchanged. */
export function asMoveFailed(error: unknown, consequences: readonly string[] = NOTHING_MOVED): unknown {
  if (error instanceof NotATarget)
    return new MoveFailed(withPeriod(`The target is not empty: ${error.message}`), consequences, error)
  if (error instanceof Unstorable)
    return new MoveFailed(withPeriod(`PostgreSQL cannot store ${error.message}`), consequences, error)
  if (error instanceof NotTheSame)
    return new MoveFailed(
      withPeriod(`The target differs from the source: ${error.message}`),
      consequences,
      error,
    )
  if (error instanceof StoreUnavailable)
    return new MoveFailed(withPeriod(`The target cannot be used: ${error.message}`), consequences, error)
  if (sqlStateOf(error) !== null || isOfSocket(error))
    return new MoveFailed(withPeriod(`The target reports: ${(error as Error).message}`), consequences, error)
  // `openDatabase` throws plain errors if the server cannot be used. Their messages are for the operator.
  if (error instanceof Error && error.constructor === Error)
    return new MoveFailed(withPeriod(`The target cannot be used: ${error.message}`), consequences, error)
  return error
}

function isOfSocket(error: unknown): boolean {
  return error instanceof Error && "syscall" in error
}
