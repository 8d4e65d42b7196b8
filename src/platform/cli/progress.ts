/** Reports long work on standard error, once a second. */
import type { Progress } from "../../store/list-shapes.ts"

const EVERY_MILLISECONDS = 1000

/** Runs `body` and reports its progress. Prints nothing in the first second. */
export async function withProgress<T>(
  what: string,
  unit: string,
  body: (progress: Progress) => Promise<T>,
): Promise<T> {
  const startedAt = performance.now()
  let reportedAt = startedAt
  let state = ""
  const report = () => {
    const now = performance.now()
    if (now - reportedAt < EVERY_MILLISECONDS) return
    reportedAt = now
    process.stderr.write(`${what}: ${Math.round((now - startedAt) / 1000)} s${state}\n`)
  }
  // The timer reports until the first callback. While work blocks the event loop, only the callback can report.
  const ticking = setInterval(report, EVERY_MILLISECONDS / 4)
  try {
    return await body((finished, of) => {
      state = of === 0 ? "" : `, ${Math.floor((100 * finished) / of)} % (${finished} of ${of} ${unit})`
      report()
    })
  } finally {
    clearInterval(ticking)
  }
}
