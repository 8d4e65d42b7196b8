/**
 * Periodic housekeeping. It deletes old rows in small batches, measures the gauges and compares the clocks.
 * `store/statements/expired.ts` lists which rows, and each engine's `sweep.ts` deletes them.
 */
import { setTimeout as pause } from "node:timers/promises"
import type { Services } from "../../platform/services/services.ts"
import { compareClocks } from "./compare-clocks.ts"
import { openCeilings } from "./open-ceilings.ts"
import { removeLeftover, silenceWatch } from "../moving-in/staging.ts"
import { sampleGauges } from "../../apps/statistics/sample-gauges.ts"
import { unusedAppsSweeper } from "./unused-apps.ts"
import { signingKeyTurner } from "../../oauth/keys/signing-keys.ts"
import { registrationEventSweeper } from "./unused-registrations.ts"

const EVERY_MILLISECONDS = 1000

/**
 * The maximum number of rows of each kind that one transaction deletes. Such a transaction takes a few milliseconds.
 */
const BATCH = 200

/** During this pause between two batches, requests and other processes can run. */
const PAUSE_MILLISECONDS = 10

/** After this many batches, the other tasks of housekeeping run. */
const BATCHES_A_ROUND = 500

type Needs = Pick<
  Services,
  | "store"
  | "clock"
  | "keys"
  | "log"
  | "settings"
  | "tallies"
  | "guesses"
  | "shared"
  | "budget"
  | "catalog"
  | "resources"
>

/**
 * Starts housekeeping. Returns a function that stops it. `retentionClock` returns the time that decides which rows are
 * old.
 */
export function startHousekeeping(services: Needs, retentionClock: () => Promise<number>): () => void {
  const { log } = services
  const sweepUnusedApps = unusedAppsSweeper(services)
  const sweepRegistrationEvents = registrationEventSweeper(services)
  const followPermissions = openCeilings(services)
  const turnKeys = signingKeyTurner(services, () => isOver)
  const isSilent = silenceWatch(services.clock)
  const look = sampleGauges(services)
  const compare = compareClocks(services)
  let timer: NodeJS.Timeout
  let isOver = false
  const next = () => {
    if (!isOver) timer = setTimeout(round, EVERY_MILLISECONDS).unref()
  }
  const round = () => {
    turnKeys()
    followPermissions()
      .then(() => endExpiredSessions(services, () => isOver))
      .then(retentionClock)
      .then(async (now) => {
        await sweep(services, now, () => isOver)
        await sweepUnusedApps(now)
        await sweepRegistrationEvents(now)
        if (await removeLeftover(services, isSilent))
          log.warn("the rows of an interrupted import were deleted")
      })
      .then(look)
      .then(compare)
      .catch((err: unknown) => {
        // After the store was closed, a failure is expected.
        if (!isOver) log.error({ err }, "housekeeping failed; it will be retried")
      })
      .finally(next)
  }
  next()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/**
 * Ends the credentials whose session has expired. This deletes nothing, so it uses the clock even if it jumped ahead.
 */
async function endExpiredSessions({ store, clock }: Needs, isOver: () => boolean): Promise<void> {
  while ((await store.endExpiredSessions(clock.now(), BATCH)) === BATCH && !isOver())
    await pause(PAUSE_MILLISECONDS, undefined, { ref: false })
}

/** Deletes batches until a batch is not full. Deletion therefore keeps up with new rows. */
async function sweep(
  { store, log, settings, shared, budget }: Needs,
  now: number,
  isOver: () => boolean,
): Promise<void> {
  const { eventsKeptDays, anonymousBudget } = await settings.current()
  budget.follow(anonymousBudget)
  let rows = 0
  for (let batches = 0; batches < BATCHES_A_ROUND && !isOver(); batches++) {
    const batch = await store.sweep(now, BATCH, eventsKeptDays)
    rows += batch
    if (batch < BATCH) break
    await pause(PAUSE_MILLISECONDS, undefined, { ref: false })
  }
  const counters = (await shared?.sweep()) ?? 0
  if (rows + counters > 0) log.debug({ rows, counters }, "old rows were deleted")
}
