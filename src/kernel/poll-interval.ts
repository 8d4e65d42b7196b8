/** How fast a machine polls: RFC 8628 §3.5; interface DG-2, LIM-3. */
import { DEVICE_SECONDS, POLL_SECONDS, POLL_SLACK_SECONDS } from "./limits.ts"

/** A poll that comes sooner than this after the one before is early. The threshold does not grow. */
export const EARLY_MS = (POLL_SECONDS - POLL_SLACK_SECONDS) * 1000

export type Polled = {
  /** When the last poll came, in milliseconds of whatever clock counts. */
  readonly atMs: number
  /** How many were early until now. */
  readonly early: number
}

export type Paced = {
  readonly polled: Polled
  /** Null where the poll kept pace, else the interval in seconds to keep to from now on: five more each time. */
  readonly interval: number | null
}

/**
 * Counts a poll. Where the pace is shared, two polls at once may be counted in either order, so that the one before may
 * seem to come after: it is as near all the same. Farther ahead it is of a clock that was set back.
 */
export function enforcePollInterval(before: Polled | undefined, nowMs: number): Paced {
  const isEarly = before !== undefined && Math.abs(nowMs - before.atMs) < EARLY_MS
  const early = (before?.early ?? 0) + (isEarly ? 1 : 0)
  return { polled: { atMs: nowMs, early }, interval: isEarly ? intervalAfter(early) : null }
}

/**
 * Whether nothing changes when a poll is forgotten: another one would not be early any more. A machine that has to slow
 * down is remembered for as long as its code lives.
 */
export function isForgettable({ atMs, early }: Polled, nowMs: number): boolean {
  return nowMs - atMs >= (early === 0 ? EARLY_MS : DEVICE_SECONDS * 1000)
}

/** The interval that a device must keep after a number of early polls, in seconds. */
export function intervalAfter(early: number): number {
  return POLL_SECONDS * (1 + early)
}
