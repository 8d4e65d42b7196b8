/**
 * Limits reports of problems. During an outage every check fails, but each kind of problem is reported only once a
 * second.
 */
import type { Clock } from "./clock.ts"
import type { Trouble, UncountedTrouble } from "./service.ts"

const INTERVAL_MS = 1000

type LastReport = { readonly at: number; skipped: number }

/**
 * Returns a function that reports the first problem of each kind in a second. The others are counted for the next
 * report.
 */
export function limitReports(
  report: (trouble: Trouble) => void,
  clock: Clock,
): (trouble: UncountedTrouble) => void {
  const kinds = new Map<string, LastReport>()
  return (trouble) => {
    const kind = `${trouble.of} ${trouble.status}`
    const last = kinds.get(kind)
    const at = clock.monotonic()
    if (last !== undefined && at - last.at < INTERVAL_MS) {
      last.skipped++
      return
    }
    kinds.set(kind, { at, skipped: 0 })
    report({ ...trouble, times: 1 + (last?.skipped ?? 0) })
  }
}
