/** A service that is away fails every check: the log gets one entry a second, not one a request. */
import type { Clock } from "./clock.ts"
import type { Trouble, Untold } from "./service.ts"

const QUIET_MILLISECONDS = 1000

type Reported = { readonly at: number; unsaid: number }

/** Passes on the first trouble of a kind (what failed, and how it was answered) in a second, with how many there were. */
export function seldom(tell: (trouble: Trouble) => void, clock: Clock): (trouble: Untold) => void {
  const kinds = new Map<string, Reported>()
  return (trouble) => {
    const kind = `${trouble.of} ${trouble.status}`
    const last = kinds.get(kind)
    const at = clock.monotonic()
    if (last !== undefined && at - last.at < QUIET_MILLISECONDS) {
      last.unsaid++
      return
    }
    kinds.set(kind, { at, unsaid: 0 })
    tell({ ...trouble, times: 1 + (last?.unsaid ?? 0) })
  }
}
