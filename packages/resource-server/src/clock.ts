/** The two clocks of the kit; a test gives its own. */
export type Clock = {
  /** Seconds since 1970. */
  readonly now: () => number
  /** Milliseconds from an arbitrary start, never stepping back. */
  readonly monotonic: () => number
}

export const systemClock: Clock = {
  now: () => Date.now() / 1000,
  monotonic: () => performance.now(),
}
