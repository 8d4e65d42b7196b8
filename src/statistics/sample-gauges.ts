/**
 * How many installations there are, looked at every five minutes, by one node for all: counting them walks over every
 * row. A look adds what it saw and that it looked; what the plots show of a bucket is the mean of the looks in it.
 */
import { gauges } from "../records/tally-names.rules.ts"
import { MINUTE } from "../kernel/time.ts"
import type { Services } from "../services/services.ts"

const LOOKED_EVERY_SECONDS = 5 * MINUTE

/** Whose turn it is to look is counted as guesses are: one look in a window. */
const TURN = "turn to look at figures"

/** Answers what is to be called every now and then; it looks where it is time to. */
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
