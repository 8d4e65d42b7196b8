/** Recognizes a series of wrong passwords: the attempt that reaches a limit. `code-tries.rules.ts` does so for codes. */
import type { UserId } from "../kernel/ids.ts"
import type { Budget } from "../kernel/rate-limit.ts"
import { type Change, eventRecorded } from "../model/change.rules.ts"

export type CountedTries = {
  readonly limit: Budget
  /** The attempts of this window, with the one that just failed. */
  readonly count: number | undefined
  /** The account whose attempts are counted. The value is null if the window counts an address or a network. */
  readonly userId: UserId | null
}

/** One event for each limit that this failure reaches. Until the window ends, further attempts are not checked. */
export function guessingEvents(
  tries: readonly CountedTries[],
  { now, address }: { readonly now: number; readonly address: string },
): readonly Change[] {
  return tries
    .filter(({ limit, count }) => count === limit.requests)
    .map(({ limit: { requests, seconds }, userId }) => {
      const detail = `${requests} wrong passwords in ${Math.ceil(seconds / 60)} minutes`
      return eventRecorded("guessing-suspected", now, { userId, address, detail })
    })
}
