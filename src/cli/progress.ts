/** A line on standard error about what takes longer than a second, once a second. */
import type { Progress } from "../store/store.ts"

const EVERY_MILLISECONDS = 1000

/** Tells how far `what` has come; silent where it is done within a second. */
export function progressOf(what: string, unit: string): Progress {
  let toldAt = performance.now()
  return (finished, of) => {
    const now = performance.now()
    if (now - toldAt < EVERY_MILLISECONDS) return
    toldAt = now
    const share = of === 0 ? 100 : Math.floor((100 * finished) / of)
    process.stderr.write(`${what}: ${share} % (${finished} of ${of} ${unit})\n`)
  }
}
