/** A service that is away fails every check: whoever keeps a log is told once a second, not once a request. */
import type { Clock } from "./clock.ts"
import type { Trouble, Untold } from "./service.ts"

const QUIET_MILLISECONDS = 1000

type Told = { readonly at: number; unsaid: number }

/** Passes on the first trouble of a kind (what failed, and how it was answered) in a second, with how many there were. */
export function seldom(tell: (trouble: Trouble) => void, clock: Clock): (trouble: Untold) => void {
  const kinds = new Map<string, Told>()
  return (trouble) => {
    const kind = `${trouble.of} ${trouble.status}`
    const told = kinds.get(kind)
    const at = clock.monotonic()
    if (told !== undefined && at - told.at < QUIET_MILLISECONDS) {
      told.unsaid++
      return
    }
    kinds.set(kind, { at, unsaid: 0 })
    tell({ ...trouble, times: 1 + (told?.unsaid ?? 0) })
  }
}
