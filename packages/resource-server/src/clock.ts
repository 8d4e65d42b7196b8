/** The two clocks that the package uses. Tests replace them. */
export type Clock = {
  /** The time in seconds since 1970. */
  readonly now: () => number
  /** Milliseconds from an arbitrary start. The value never goes back. */
  readonly monotonic: () => number
}

export const systemClock: Clock = {
  now: () => Date.now() / 1000,
  monotonic: () => performance.now(),
}
