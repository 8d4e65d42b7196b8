/** Plans the keys by the content of their directory alone, so that all replicas that share it decide alike. */

/** `from` is the time from which the key signs. The first key has 0, so that two first starts agree on one file. */
export type KeyFacts = {
  readonly algorithm: string
  readonly from: number
  readonly createdAt: number
}

export type KeyPlan<K> = {
  /** The key that signs, or null if no key is usable. */
  readonly current: K | null
  /** The keys of the current and the other replicas, and of assertions that are still valid. */
  readonly published: readonly K[]
  readonly expired: readonly K[]
  /** The `from` of a key that must be made now. */
  readonly missing: number | null
}

const HOUR = 3600
/** A key is published this long before it signs, so that every app has read it. */
const LEAD_SECONDS = 24 * HOUR
/** A key is published this long after another one signs. */
const KEPT_SECONDS = 24 * HOUR

export function planKeys<K extends KeyFacts>(
  keys: readonly K[],
  algorithm: string,
  now: number,
  rotateSeconds: number,
): KeyPlan<K> {
  const own = keys.filter((key) => key.algorithm === algorithm).toSorted((a, b) => startOf(a) - startOf(b))
  // If the clock was set back, the first key is used although its time has not come.
  const current = own.findLast((key) => startOf(key) <= now) ?? own[0] ?? null
  if (current === null) return { current, published: keys, expired: [], missing: 0 }
  const isExpired = (key: K) =>
    startOf(key) < startOf(current) && startOf(current) + KEPT_SECONDS <= now && key !== current
  return {
    current,
    published: keys.filter((key) => !isExpired(key)),
    expired: keys.filter(isExpired),
    missing: own.at(-1) === current ? nextFrom(startOf(current) + rotateSeconds, now) : null,
  }
}

export function startOf({ from, createdAt }: KeyFacts): number {
  return Math.max(from, createdAt)
}

/** Returns when the next key begins if it must be made now. A late one begins at a full hour, for all replicas alike. */
function nextFrom(due: number, now: number): number | null {
  if (due - now > LEAD_SECONDS) return null
  if (due - now >= LEAD_SECONDS - HOUR) return due
  return Math.ceil((now + LEAD_SECONDS) / HOUR) * HOUR
}
