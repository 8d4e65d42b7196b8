/**
 * Clocks of the process. Wall time measures lifetimes. Monotonic time measures poll intervals, budgets and throttles of
 * one process. Nodes that share a database use its clock for shared counters.
 */
export type Clock = {
  /** Integer seconds since 1970. The value may step back when the machine's clock is set. */
  readonly now: () => number
  /** Milliseconds from an arbitrary start. The value never steps back. */
  readonly monotonic: () => number
  /** Returns milliseconds. Tests that move time use this function in place of the database's clock. */
  readonly shared?: () => number
}

export const systemClock: Clock = {
  now: () => Math.floor(Date.now() / 1000),
  monotonic: () => performance.now(),
}
