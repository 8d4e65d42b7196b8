/** Rows go by themselves after their time, in small batches that keep nobody waiting. */
import type { Latchkey } from "./latchkey.ts"

const EVERY_MILLISECONDS = 1000
const BATCH = 200

/** Starts sweeping; the answer stops it. */
export function startHousekeeping({
  store,
  clock,
  log,
}: Pick<Latchkey, "store" | "clock" | "log">): () => void {
  let timer: NodeJS.Timeout
  let isOver = false
  const next = () => {
    if (!isOver) timer = setTimeout(sweep, EVERY_MILLISECONDS).unref()
  }
  const sweep = () => {
    store.sweep(clock.now(), BATCH).then(
      (gone) => {
        if (gone > 0) log.debug({ gone }, "rows past their time are gone")
        next()
      },
      (err: unknown) => {
        log.error({ err }, "sweeping failed; it is tried again")
        next()
      },
    )
  }
  next()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
