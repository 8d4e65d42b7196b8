/** The two clocks: wall time for lifetimes, monotonic time for pace, budgets and throttles. */
export type Clock = {
  /** Integer seconds since 1970. May step back when somebody sets the machine's clock. */
  readonly now: () => number
  /** Milliseconds from an arbitrary start. Never steps back. */
  readonly monotonic: () => number
}

export const systemClock: Clock = {
  now: () => Math.floor(Date.now() / 1000),
  monotonic: () => performance.now(),
}
