/** The poll interval of the device flow: RFC 8628 §3.5; interface DG-2, LIM-3. */
import { DEVICE_SECONDS, POLL_SECONDS, POLL_SLACK_SECONDS } from "./limits.ts"

/** A poll within this time after the previous poll is early. `slow_down` does not raise this threshold. */
export const EARLY_MS = (POLL_SECONDS - POLL_SLACK_SECONDS) * 1000

export type Polled = {
  /** The time of the last poll in milliseconds, by the clock of the process or of the shared database. */
  readonly atMs: number
  /** The number of early polls of this device code. */
  readonly early: number
}

type Paced = {
  readonly polled: Polled
  /** The interval in seconds that an early poll must keep from now on. It is null for a poll on time. */
  readonly interval: number | null
}

/**
 * Counts a poll. Nodes may count two concurrent polls in either order, so the previous poll may have a slightly later
 * time. If the previous poll is far in the future, the clock was set back, and the new poll is on time.
 */
export function enforcePollInterval(before: Polled | undefined, nowMs: number): Paced {
  const isEarly = before !== undefined && Math.abs(nowMs - before.atMs) < EARLY_MS
  const early = (before?.early ?? 0) + (isEarly ? 1 : 0)
  return { polled: { atMs: nowMs, early }, interval: isEarly ? intervalAfter(early) : null }
}

/**
 * Whether a record can be deleted. Without early polls, the record is only needed while the next poll can be early. A
 * count of early polls is kept for `DEVICE_SECONDS` after the last poll.
 */
export function isForgettable({ atMs, early }: Polled, nowMs: number): boolean {
  return nowMs - atMs >= (early === 0 ? EARLY_MS : DEVICE_SECONDS * 1000)
}

/** Returns the required poll interval in seconds after `early` early polls. */
export function intervalAfter(early: number): number {
  return POLL_SECONDS * (1 + early)
}
