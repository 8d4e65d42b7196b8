/**
 * How far a clock may jump ahead before housekeeping stops trusting it to delete rows. Everything stays for a week beyond its end
 * (`KEPT_AFTER_END_SECONDS`), so a jump of less removes nothing that lives, except device grants, whose minutes it ends anyway.
 * A longer one may be a mistake that is corrected: it is trusted once the clock has stayed there for a day.
 */
import { KEPT_AFTER_END_SECONDS } from "../kernel/limits.ts"
import { DAY } from "../kernel/time.ts"

export type TrustedTime = {
  readonly at: number
  /** Since what instant of its own the clock is doubted; null while it is trusted. */
  readonly doubtedSince: number | null
}

/** `before` is the last trusted time; null at the very first. A service that was stopped meanwhile jumps as well. */
export function guardAgainstClockJump(before: TrustedTime | null, now: number): TrustedTime {
  if (before === null || now <= before.at + KEPT_AFTER_END_SECONDS) return { at: now, doubtedSince: null }
  const stayed = before.doubtedSince === null ? -1 : now - before.doubtedSince
  if (stayed < 0 || stayed > KEPT_AFTER_END_SECONDS) return { at: before.at, doubtedSince: now }
  return stayed < DAY ? before : { at: now, doubtedSince: null }
}
