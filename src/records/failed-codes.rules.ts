import type { UserId } from "../kernel/ids.ts"

/** The numbers of consecutive failed one-time passwords and recovery codes of an account. FACTOR-11. */
export type CodeTries = {
  readonly userId: UserId
  /** Consecutive failures from browsers that have never signed in to this account. */
  readonly unknownFailures: number
  /** Consecutive failures from browsers that have signed in to this account before. */
  readonly knownFailures: number
}
