import type { UserId } from "../kernel/ids.ts"

/** One-time passwords and recovery codes of an account that failed in a row. FACTOR-11. */
export type CodeTries = {
  readonly userId: UserId
  /** Failures in a row from browsers that never signed in before. */
  readonly unknownFailures: number
  /** Failures in a row from the others. */
  readonly knownFailures: number
}
