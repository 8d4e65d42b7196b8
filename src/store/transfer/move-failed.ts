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
  const beginning = error instanceof Error ? beginningFor(error) : null
  if (beginning === null) return error
  return new MoveFailed(withPeriod(`${beginning} ${(error as Error).message}`), consequences, error)
}

/** Returns how the message about an error begins. Returns null for a programming error. */
function beginningFor(error: Error): string | null {
  if (error instanceof NotATarget) return "The target is not empty:"
  if (error instanceof Unstorable) return "PostgreSQL cannot store"
  if (error instanceof NotTheSame) return "The target differs from the source:"
  if (error instanceof StoreUnavailable) return "The target cannot be used:"
  if (sqlStateOf(error) !== null || "syscall" in error) return "The target reports:"
  // `openDatabase` throws plain errors if the server cannot be used. Their messages are for the operator.
  return error.constructor === Error ? "The target cannot be used:" : null
}
