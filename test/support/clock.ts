import type { Clock } from "../../src/kernel/clock.ts"

/** A clock that moves only when the test moves it. */
export type TestClock = Clock & {
  /** Moves both clocks by `seconds`. The wall clock can also be set back. */
  readonly advance: (seconds: number) => void
  /** Sets only the wall clock, as a correction of the machine's time does. */
  readonly setWall: (now: number) => void
}

export function testClock(start = 1_800_000_000): TestClock {
  let wall = start
  let monotonic = 1_000
  return {
    shared: () => monotonic,
    now: () => Math.floor(wall),
    monotonic: () => monotonic,
    advance: (seconds) => {
      wall += seconds
      monotonic += Math.max(0, seconds) * 1000
    },
    setWall: (now) => {
      wall = now
    },
  }
}
