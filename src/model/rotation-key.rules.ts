/**
 * The keys from which the next refresh tokens are derived. All nodes share one key for each half minute. A key is
 * deleted when no grace period of its half minute is open. After that, the stored data and a retired token together
 * cannot derive the next token. Interface CRED-6.
 */
import { GRACE_SECONDS } from "../kernel/limits.ts"
import { CLOCKS_APART_SECONDS, type Seconds } from "../kernel/time.ts"

/** The keys, by the number of their half minute since 1970. */
export type RotationKeys = ReadonlyMap<number, string>

const HALF_MINUTE: Seconds = 30

/** Keys are created this many half minutes in advance, so that a refresh does not wait for a new key. */
const AHEAD = 3

export function halfMinuteOf(at: Seconds): number {
  return Math.floor(at / HALF_MINUTE)
}

type KeptHalfMinutes = {
  /** Keys of earlier half minutes than this are deleted. */
  readonly first: number
  /** Keys are created up to this half minute. */
  readonly last: number
  /** Later ones are deleted. They exist only after a clock was set back. Another node may be half a minute ahead. */
  readonly farthest: number
}

/** The last grace period of a half minute ends 60 s after it. `CLOCKS_APART_SECONDS` allows for other nodes. */
export function keptHalfMinutes(now: Seconds): KeptHalfMinutes {
  const latest = halfMinuteOf(now - CLOCKS_APART_SECONDS)
  return { first: latest - GRACE_SECONDS / HALF_MINUTE, last: latest + AHEAD, farthest: latest + AHEAD + 1 }
}

export function keptKeys(keys: RotationKeys, now: Seconds): RotationKeys {
  const { first, farthest } = keptHalfMinutes(now)
  return new Map([...keys].filter(([half]) => half >= first && half <= farthest))
}
