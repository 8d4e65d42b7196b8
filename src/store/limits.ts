/** The limits that a process counts, or that all nodes on one database share. */
import type { GrantId } from "../kernel/ids.ts"
import type { Admission, Budget } from "../kernel/rate-limit.ts"

export type Counter = { readonly key: string; readonly limit: Budget }

/** A request that a window counted. The window began at this time. */
export type Spent = { readonly key: string; readonly startedMs: number }

export type SpentAll =
  /**
   * The limit allows the request. `counts` has the count of each window, including this request. `giveBack` takes this
   * request back, for example after a correct password. A second call does nothing. `spent` lets a later request give
   * it back.
   */
  | {
      readonly admitted: true
      readonly counts: readonly number[]
      readonly spent: readonly Spent[]
      readonly giveBack: () => void | Promise<void>
    }
  | { readonly admitted: false; readonly retryAfterSeconds: number }

/**
 * Exact rate limit windows with the rule `admit`, for any number of concurrent requests. Windows in memory return
 * values, and shared windows return promises. `test/store/contract/windows.ts` tests both kinds.
 */
export interface Windows {
  /**
   * Counts one request for `key` if the limit allows it. A refused request does not count and does not extend the
   * window.
   */
  spend(key: string, limit: Budget): Admission | Promise<Admission>

  /** Counts one request for each key. If one key refuses, none is increased. */
  spendAll(counters: readonly Counter[]): SpentAll | Promise<SpentAll>

  /** Takes back what an earlier request counted. The caller makes sure that this happens once. */
  giveBack(spent: readonly Spent[]): void | Promise<void>

  /** Deletes every window whose key begins with `prefix`. */
  forget(prefix: string): void | Promise<void>
}

/** The poll interval of each device, with the rule `enforcePollInterval`. */
export interface SharedPollIntervals {
  /** Counts a poll. Returns null if the poll was not early. Otherwise returns the new interval in seconds. */
  poll(grantId: GrantId): number | null | Promise<number | null>

  /** Called when a grant needs no poll interval any more. */
  forget(grantId: GrantId): void
}

/** The limits and the clock that all nodes on one database share. A backup may leave the limits out. */
export type Shared = {
  /** The rate limit of the anonymous endpoints. */
  readonly budget: Pick<Windows, "spend" | "giveBack" | "forget">
  /**
   * Rate limits against guessing. They are separate from `budget`, because a flood of anonymous requests can evict its
   * windows. For the same reason each kind of counter (`kindOf`) has a bound of its own.
   */
  readonly guesses: Windows
  readonly pollIntervals: SharedPollIntervals
  /** Returns the time of the database's clock, in seconds since 1970 with a fraction. */
  readonly now: () => Promise<number>
  /** Deletes expired and excess rows in small batches. Returns the number of deleted rows. */
  readonly sweep: () => Promise<number>
}
