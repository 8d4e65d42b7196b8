/**
 * Keys that the successors of refresh tokens are derived with, one for each half minute, shared by all nodes. A key is
 * deleted once no window of its half minute is open: from then on nothing that is stored, with a retired token, yields
 * the successor. Interface CRED-6.
 */
import { GRACE_SECONDS } from "../kernel/limits.ts"
import { CLOCKS_APART_SECONDS, type Seconds } from "../kernel/time.ts"

/** By the number of its half minute since 1970. */
export type RotationKeys = ReadonlyMap<number, string>

const HALF_MINUTE: Seconds = 30

/** Half minutes whose keys are made ahead: no refresh waits for one, also while the store takes no writes. */
const AHEAD = 3

/** The half minute of an instant. */
export function halfMinuteOf(at: Seconds): number {
  return Math.floor(at / HALF_MINUTE)
}

export type KeptHalfMinutes = {
  /** Earlier ones are deleted. */
  readonly first: number
  /** Up to this one keys are made. */
  readonly last: number
  /** Later ones are deleted: another node's clock may be one ahead, and a clock that was set back by more makes them void. */
  readonly farthest: number
}

/**
 * Which keys are kept at `now`. The last window of a half minute is over sixty seconds after its end; other nodes' clocks
 * get their few seconds on top.
 */
export function keptHalfMinutes(now: Seconds): KeptHalfMinutes {
  const latest = halfMinuteOf(now - CLOCKS_APART_SECONDS)
  return { first: latest - GRACE_SECONDS / HALF_MINUTE, last: latest + AHEAD, farthest: latest + AHEAD + 1 }
}

/** Of these keys, those that are kept at `now`. */
export function keptKeys(keys: RotationKeys, now: Seconds): RotationKeys {
  const { first, farthest } = keptHalfMinutes(now)
  return new Map([...keys].filter(([half]) => half >= first && half <= farthest))
}
