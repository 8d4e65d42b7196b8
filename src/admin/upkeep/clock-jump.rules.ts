/**
 * Decides whether housekeeping trusts the clock after it jumped ahead. Rows are kept for a week after their end
 * (`KEPT_AFTER_END_SECONDS`). After a jump of less than a week, only device grants are deleted early, and the jump has
 * expired them anyway. A longer jump may be an error. The new time is trusted after the clock has kept it for a day.
 */
import { KEPT_AFTER_END_SECONDS } from "../../kernel/limits.ts"
import { DAY } from "../../kernel/time.ts"

export type TrustedTime = {
  readonly at: number
  /** The time of the clock when the doubt began. The value is null while the clock is trusted. */
  readonly doubtedSince: number | null
}

/**
 * Decides which time is trusted. `before` is null at the first start. If the service was stopped for long, the pause
 * looks like a jump.
 */
export function guardAgainstClockJump(before: TrustedTime | null, now: number): TrustedTime {
  if (before === null || now <= before.at + KEPT_AFTER_END_SECONDS) return { at: now, doubtedSince: null }
  const stayed = before.doubtedSince === null ? -1 : now - before.doubtedSince
  if (stayed < 0 || stayed > KEPT_AFTER_END_SECONDS) return { at: before.at, doubtedSince: now }
  return stayed < DAY ? before : { at: now, doubtedSince: null }
}
