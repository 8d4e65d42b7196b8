/**
 * Samples the number of installations every five minutes. Only one node samples, because counting reads every row.
 * Each sample adds its count and increments the number of samples. Plots show the mean of a bucket's samples.
 */
import { gauges } from "../records/tally-names.rules.ts"
import { MINUTE } from "../kernel/time.ts"
import type { Services } from "../services/services.ts"

const LOOKED_EVERY_SECONDS = 5 * MINUTE

/** A rate limit of one sample per window chooses the node that counts. */
const TURN = "sample gauges"

/** Returns a function that samples if a sample is due. Housekeeping calls it in each round. */
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
