/**
 * Deletes the events of self-registrations a week later, unless something else happened with the app. Anyone may
 * register apps, so their events would fill the audit trail for as long as events are kept.
 */
import { setTimeout as pause } from "node:timers/promises"
import { UNUSED_REGISTRATION_EVENT_SECONDS } from "../../kernel/limits.ts"
import type { Services } from "../../platform/services/services.ts"

/** The number of events in a transaction, and of transactions in a round. */
const BATCH = 200
const BATCHES_A_ROUND = 500

/** During this pause between two batches, requests and other processes can run. */
const PAUSE_MILLISECONDS = 10

/** Returns the function that housekeeping calls in each round. It judges each event once after a start. */
export function registrationEventSweeper({ store }: Pick<Services, "store">): (now: number) => Promise<void> {
  let judged = 0
  return async (now) => {
    for (let batches = 0; batches < BATCHES_A_ROUND; batches++) {
      const last = await store.sweepRegistrations(now - UNUSED_REGISTRATION_EVENT_SECONDS, judged, BATCH)
      if (last === 0) return
      judged = last
      await pause(PAUSE_MILLISECONDS, undefined, { ref: false })
    }
  }
}
