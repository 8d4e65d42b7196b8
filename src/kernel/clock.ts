/**
 * The two clocks: wall time for lifetimes, monotonic time for pace, budgets and throttles of one process. What several
 * nodes count together goes by a third one, that of their database.
 */
export type Clock = {
  /** Integer seconds since 1970. May step back when the machine's clock is set. */
  readonly now: () => number
  /** Milliseconds from an arbitrary start. Never steps back. */
  readonly monotonic: () => number
  /** Milliseconds that stand in for the clock of the database, where a test moves time. */
  readonly shared?: () => number
}

export const systemClock: Clock = {
  now: () => Math.floor(Date.now() / 1000),
  monotonic: () => performance.now(),
}
