/** What the service does by itself: rows go after their time, in small batches, and its figures are looked at. */
import { setTimeout as pause } from "node:timers/promises"
import type { Services } from "../services/services.ts"
import { compareClocks } from "./compare-clocks.ts"
import { sampleGauges } from "../statistics/sample-gauges.ts"
import { unusedAppsSweeper } from "./unused-apps.ts"

const EVERY_MILLISECONDS = 1000

/** Rows of a kind in one transaction: a few milliseconds. */
const BATCH = 200

/** Between two batches requests are answered, and other processes may write. */
const PAUSE_MILLISECONDS = 10

/** Then it is the turn of the rest of the housekeeping. */
const BATCHES_A_ROUND = 500

type Needs = Pick<
  Services,
  "store" | "clock" | "log" | "settings" | "tallies" | "guesses" | "shared" | "budget"
>

/** Starts it; the answer stops it. `retentionClock` returns the time up to which rows may be deleted. */
export function startHousekeeping(services: Needs, retentionClock: () => Promise<number>): () => void {
  const { log } = services
  const sweepUnusedApps = unusedAppsSweeper(services)
  const look = sampleGauges(services)
  const compare = compareClocks(services)
  let timer: NodeJS.Timeout
  let isOver = false
  const next = () => {
    if (!isOver) timer = setTimeout(round, EVERY_MILLISECONDS).unref()
  }
  const round = () => {
    retentionClock()
      .then(async (now) => {
        await sweep(services, now, () => isOver)
        await sweepUnusedApps(now)
      })
      .then(look)
      .then(compare)
      .catch((err: unknown) => {
        // A store that was closed meanwhile is no failure.
        if (!isOver) log.error({ err }, "housekeeping failed; it is tried again")
      })
      .finally(next)
  }
  next()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/** Goes on while a batch may have been full, so that rows go as fast as they can come. */
async function sweep(
  { store, log, settings, shared, budget }: Needs,
  now: number,
  isOver: () => boolean,
): Promise<void> {
  const { eventsKeptDays, anonymousBudget } = await settings.current()
  budget.follow(anonymousBudget)
  let gone = 0
  for (let batches = 0; batches < BATCHES_A_ROUND && !isOver(); batches++) {
    const batch = await store.sweep(now, BATCH, eventsKeptDays)
    gone += batch
    if (batch < BATCH) break
    await pause(PAUSE_MILLISECONDS, undefined, { ref: false })
  }
  const counters = (await shared?.sweep()) ?? 0
  if (gone + counters > 0) log.debug({ gone, counters }, "rows past their time are gone")
}
