import type { UserId } from "../kernel/ids.ts"

/** The number of one-time passwords and recovery codes of an account that failed in a row. FACTOR-11. */
export type CodeTries = {
  readonly userId: UserId
  /** The failures in a row from browsers that have never signed in to this account. */
  readonly unknownFailures: number
  /** The failures in a row from browsers that have signed in to this account before. */
  readonly knownFailures: number
}
