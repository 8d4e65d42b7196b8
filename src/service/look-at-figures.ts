/**
 * How many installations there are, looked at every five minutes. A look adds what it saw and that it looked: what the
 * plots show of a bucket is the mean of the looks that fell into it, from however many nodes.
 */
import { gauges } from "../core/tally-names.ts"
import { MINUTE } from "../core/time.ts"
import type { Latchkey } from "./latchkey.ts"

const LOOKED_EVERY_SECONDS = 5 * MINUTE

/** Answers what is to be called every now and then; it looks where it is time to. */
export function lookAtFigures({
  store,
  clock,
  tallies,
}: Pick<Latchkey, "store" | "clock" | "tallies">): () => Promise<void> {
  let lookedAt: number | null = null
  return async () => {
    const now = clock.monotonic()
    if (lookedAt !== null && now - lookedAt < LOOKED_EVERY_SECONDS * 1000) return
    lookedAt = now
    const { installations } = await store.figures(clock.now())
    tallies.add(gauges.installations, installations)
    tallies.count(gauges.looks)
  }
}
