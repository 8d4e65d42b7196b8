/**
 * Counts of what happened, for the plots and the health of apps: how often, never who. Counted in memory and added to the
 * database once a second, so a process that is killed may lose its last second of them and nothing else.
 */
import type { ClientId } from "../kernel/ids.ts"
import { DAY, HOUR, MINUTE } from "../kernel/time.ts"

/** The whole service is counted by the minute and by the hour; single apps by the day. */
export const grains = { minute: MINUTE, hour: HOUR, day: DAY } as const

export type Grain = keyof typeof grains

export type Tally = {
  readonly grain: Grain
  /** The start of the bucket. */
  readonly at: number
  readonly name: string
  /** Null for the whole service. */
  readonly clientId: ClientId | null
  readonly count: number
}

/** The start of the bucket that an instant falls into. */
export function bucketAt(grain: Grain, now: number): number {
  return now - (now % grains[grain])
}
