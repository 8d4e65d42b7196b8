/**
 * Counts of events, for plots and the health of apps. They identify no person. Counts are collected in memory and
 * stored once a second. A killed process loses at most one second of counts.
 */
import type { ClientId } from "../kernel/ids.ts"
import { DAY, HOUR, MINUTE } from "../kernel/time.ts"

/** In seconds. Counts of the whole service use minutes and hours. Counts of single apps use days. */
export const grains = { minute: MINUTE, hour: HOUR, day: DAY } as const

export type Grain = keyof typeof grains

export type Tally = {
  readonly grain: Grain
  readonly at: number
  readonly name: string
  /** The value is null for counts of the whole service. */
  readonly clientId: ClientId | null
  readonly count: number
}

export function bucketAt(grain: Grain, now: number): number {
  return now - (now % grains[grain])
}
