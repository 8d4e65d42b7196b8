/** What the service does by itself: rows go after their time, in small batches, and its figures are looked at. */
import type { Latchkey } from "./latchkey.ts"
import { compareClocks } from "./compare-clocks.ts"
import { lookAtFigures } from "./look-at-figures.ts"

const EVERY_MILLISECONDS = 1000
const BATCH = 200

type Needs = Pick<Latchkey, "store" | "clock" | "log" | "settings" | "tallies" | "guesses" | "shared">

/** Starts it; the answer stops it. `believed` tells the instant up to which rows may go. */
export function startHousekeeping(latchkey: Needs, believed: () => Promise<number>): () => void {
  const { log } = latchkey
  const look = lookAtFigures(latchkey)
  const compare = compareClocks(latchkey)
  let timer: NodeJS.Timeout
  let isOver = false
  const next = () => {
    if (!isOver) timer = setTimeout(round, EVERY_MILLISECONDS).unref()
  }
  const round = () => {
    believed()
      .then((now) => sweep(latchkey, now))
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

async function sweep({ store, log, settings, shared }: Needs, now: number): Promise<void> {
  const { eventsKeptDays } = await settings.current()
  const gone = await store.sweep(now, BATCH, eventsKeptDays)
  const counters = (await shared?.sweep()) ?? 0
  if (gone + counters > 0) log.debug({ gone, counters }, "rows past their time are gone")
}
