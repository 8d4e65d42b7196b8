/**
 * Nodes store instants that others read, so their clocks must agree (docs/interface.md, "Many nodes"). None sees the others';
 * each compares its own with that of the database, and says where they differ.
 */
import { CLOCKS_APART_SECONDS, MINUTE } from "../kernel/time.ts"
import type { Services } from "../services/services.ts"

const COMPARED_EVERY_SECONDS = MINUTE

/** Two nodes that are both no farther than this from the database are near enough to one another. */
const APART_AT_MOST_SECONDS = CLOCKS_APART_SECONDS / 2

/** Answers what is to be called every now and then; it compares where it is time to. */
export function compareClocks({
  shared,
  clock,
  log,
}: Pick<Services, "shared" | "clock" | "log">): () => Promise<void> {
  let nextAt: number | null = null
  return async () => {
    const began = clock.monotonic()
    if (shared === null || (nextAt !== null && began < nextAt)) return
    nextAt = began + COMPARED_EVERY_SECONDS * 1000
    const before = clock.now()
    const databaseNow = await shared.now()
    // Whole seconds here, fractions there, and the way in between: what is less than that is no difference.
    const aheadSeconds = Math.round((before + clock.now() + 1) / 2 - databaseNow)
    if (Math.abs(aheadSeconds) > APART_AT_MOST_SECONDS)
      log.warn(
        { aheadSeconds },
        "this machine's clock is not that of the database; set both by a time service",
      )
  }
}
