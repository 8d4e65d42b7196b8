/** A change at the service must be in effect within a second. */
import assert from "node:assert/strict"
import { StallMeter } from "../support/stall-meter.ts"
import { within } from "../support/spawn.ts"
import { until } from "../support/until.ts"

const IN_EFFECT_MILLISECONDS = 1000

/**
 * Waits until the condition holds. Throws if this takes longer than a second. Time in which this process, the service
 * and the kit stood still does not count.
 */
export function untilInEffect(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  return within(async (span) => {
    const elapsed = new StallMeter(span).stopwatch()
    await until(isSo, what)
    assert.ok(elapsed() < IN_EFFECT_MILLISECONDS, `${what}: in effect after ${elapsed()} ms`)
  })
}
