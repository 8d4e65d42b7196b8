/**
 * Limits the number of self-registered apps without a consent. The oldest are deleted first. RATE-5. Counting reads an
 * index of up to 100,000 entries (11 ms), so only every tenth round counts.
 */
import { setTimeout as pause } from "node:timers/promises"
import { UNUSED_APPS_AT_MOST } from "../../kernel/limits.ts"
import type { Services } from "../../platform/services/services.ts"

const EVERY_ROUNDS = 10

/**
 * The number of rows in a transaction, and of transactions in a round. Fewer apps than this can register between two
 * counts.
 */
const BATCH = 500
const BATCHES_A_ROUND = 100

/** During this pause between two batches, requests and other processes can run. */
const PAUSE_MILLISECONDS = 20

/** Returns the function that housekeeping calls in each round. */
export function unusedAppsSweeper({
  store,
  log,
}: Pick<Services, "store" | "log">): (now: number) => Promise<void> {
  let rounds = 0
  return async (now) => {
    if (rounds++ % EVERY_ROUNDS !== 0) return
    let apps = 0
    for (let batches = 0; batches < BATCHES_A_ROUND; batches++) {
      const batch = await store.sweepUnusedApps(now, UNUSED_APPS_AT_MOST, BATCH)
      apps += batch
      if (batch < BATCH) break
      await pause(PAUSE_MILLISECONDS, undefined, { ref: false })
    }
    if (apps > 0)
      log.info({ apps }, "too many self-registered apps without a consent; the oldest were deleted")
  }
}
