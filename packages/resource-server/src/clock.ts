/** The two clocks of the package. Tests replace them. */
export type Clock = {
  /** Seconds since 1970. */
  readonly now: () => number
  /** Milliseconds from an arbitrary start. Never goes back. */
  readonly monotonic: () => number
}

export const systemClock: Clock = {
  now: () => Date.now() / 1000,
  monotonic: () => performance.now(),
}
