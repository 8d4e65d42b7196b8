/**
 * Decides whether housekeeping trusts the clock after a jump ahead. Rows stay for a week after their end
 * (`KEPT_AFTER_END_SECONDS`). So a jump of less than a week deletes only device grants early, which the jump has
 * expired anyway. A longer jump may be an error. The new time is trusted after the clock has stayed there for a day.
 */
import { KEPT_AFTER_END_SECONDS } from "../kernel/limits.ts"
import { DAY } from "../kernel/time.ts"

export type TrustedTime = {
  readonly at: number
  /** The time of the clock when the doubt began; null while the clock is trusted. */
  readonly doubtedSince: number | null
}

/** `before` is null at the first start. A long stop of the service looks like a jump. */
export function guardAgainstClockJump(before: TrustedTime | null, now: number): TrustedTime {
  if (before === null || now <= before.at + KEPT_AFTER_END_SECONDS) return { at: now, doubtedSince: null }
  const stayed = before.doubtedSince === null ? -1 : now - before.doubtedSince
  if (stayed < 0 || stayed > KEPT_AFTER_END_SECONDS) return { at: before.at, doubtedSince: now }
  return stayed < DAY ? before : { at: now, doubtedSince: null }
}
