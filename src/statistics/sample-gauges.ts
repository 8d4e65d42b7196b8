/**
 * Counts the installations every five minutes, on one node for all, because counting reads every row. A sample adds its
 * count and the number of samples. Plots show the mean of the samples in a bucket.
 */
import { gauges } from "../records/tally-names.rules.ts"
import { MINUTE } from "../kernel/time.ts"
import type { Services } from "../services/services.ts"

const LOOKED_EVERY_SECONDS = 5 * MINUTE

/** A rate limit of one sample per window decides which node counts. */
const TURN = "turn to look at figures"

/** Returns a function to call regularly. It samples when a sample is due. */
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
