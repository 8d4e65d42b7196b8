/**
 * Apps that register themselves are held in number, not in rate: what got no consent goes, the oldest first. RATE-5. To
 * count them is a walk over an index of up to a hundred thousand entries (11 ms), so that it is done now and then.
 */
import { setTimeout as pause } from "node:timers/promises"
import { UNUSED_APPS_AT_MOST } from "../kernel/limits.ts"
import type { Services } from "../services/services.ts"

const EVERY_ROUNDS = 10

/** Rows in one transaction, and the transactions of one round: more than registrations can have added since the last. */
const BATCH = 500
const BATCHES_A_ROUND = 100

/** Between two batches requests are answered, and other processes may write. */
const PAUSE_MILLISECONDS = 20

/** Answers what is to be called in each round of the housekeeping. */
export function unusedAppsSweeper({
  store,
  log,
}: Pick<Services, "store" | "log">): (now: number) => Promise<void> {
  let rounds = 0
  return async (now) => {
    if (rounds++ % EVERY_ROUNDS !== 0) return
    let gone = 0
    for (let batches = 0; batches < BATCHES_A_ROUND; batches++) {
      const batch = await store.sweepUnusedApps(now, UNUSED_APPS_AT_MOST, BATCH)
      gone += batch
      if (batch < BATCH) break
      await pause(PAUSE_MILLISECONDS, undefined, { ref: false })
    }
    if (gone > 0) log.info({ gone }, "more apps registered themselves than are kept without a consent")
  }
}
