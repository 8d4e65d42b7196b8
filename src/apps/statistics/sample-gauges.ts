/**
 * Measures the number of installations every five minutes. Counting reads every row, so only one node measures. Each
 * measurement adds its value and increments the number of measurements. Plots show the mean of each bucket.
 */
import { gauges } from "../../model/tally-names.rules.ts"
import { MINUTE } from "../../kernel/time.ts"
import type { Services } from "../../platform/services/services.ts"

const LOOKED_EVERY_SECONDS = 5 * MINUTE

/** A rate limit allows one measurement per window, and so chooses the node. */
const TURN = "sample gauges:turn"

/** Returns a function that measures if a measurement is due. Housekeeping calls it in each round. */
export function sampleGauges({
  store,
  clock,
  tallies,
  guesses,
}: Pick<Services, "store" | "clock" | "tallies" | "guesses">): () => Promise<void> {
  let nextAt: number | null = null
  return async () => {
    const now = clock.monotonic()
    if (nextAt !== null && now < nextAt) return
    const turn = await guesses.spend(TURN, { requests: 1, seconds: LOOKED_EVERY_SECONDS })
    nextAt = now + (turn.admitted ? LOOKED_EVERY_SECONDS : turn.retryAfterSeconds) * 1000
    if (!turn.admitted) return
    tallies.add(gauges.installations, await store.installations(clock.now()))
    tallies.count(gauges.looks)
  }
}
