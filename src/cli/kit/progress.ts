/** A line on standard error about what takes longer than a second, once a second. */
import type { Progress } from "../../store/store.ts"

const EVERY_MILLISECONDS = 1000

/** Tells how far `what` has come while `body` runs; silent where that is done within a second. */
export async function withProgress<T>(
  what: string,
  unit: string,
  body: (progress: Progress) => Promise<T>,
): Promise<T> {
  const startedAt = performance.now()
  let reportedAt = startedAt
  let state = ""
  const tell = () => {
    const now = performance.now()
    if (now - reportedAt < EVERY_MILLISECONDS) return
    reportedAt = now
    process.stderr.write(`${what}: ${Math.round((now - startedAt) / 1000)} s${state}\n`)
  }
  // The clock ticks where nothing can be counted yet; the count tells where the work leaves the clock no turn.
  const ticking = setInterval(tell, EVERY_MILLISECONDS / 4)
  try {
    return await body((finished, of) => {
      state = of === 0 ? "" : `, ${Math.floor((100 * finished) / of)} % (${finished} of ${of} ${unit})`
      tell()
    })
  } finally {
    clearInterval(ticking)
  }
}
