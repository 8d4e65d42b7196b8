/**
 * Compares this node's clock with the database's clock and logs a difference. Nodes read each other's timestamps, so
 * their clocks must agree (docs/interface.md, "Many nodes").
 */
import { CLOCKS_APART_SECONDS, MINUTE } from "../../kernel/time.ts"
import type { Services } from "../../platform/services/services.ts"

const COMPARED_EVERY_SECONDS = MINUTE

/** If two nodes differ from the database by at most this much, their clocks are close enough to each other. */
const APART_AT_MOST_SECONDS = CLOCKS_APART_SECONDS / 2

/** Returns a function that compares the clocks if a comparison is due. */
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
    // Local time has whole seconds, and the query takes time. Small differences are therefore not reported.
    const aheadSeconds = Math.round((before + clock.now() + 1) / 2 - databaseNow)
    if (Math.abs(aheadSeconds) > APART_AT_MOST_SECONDS)
      log.warn(
        { aheadSeconds },
        "the clocks of this machine and of the database differ; synchronize both with a time service",
      )
  }
}
