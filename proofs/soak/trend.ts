/** Fits a line to samples, some of which are far off. */

export type Sample = { readonly at: number; readonly value: number }

/** Returns the median. Returns NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? NaN : (low + high) / 2
}

/** At most this many samples are compared with each other. */
const COMPARED = 300

/**
 * Returns the slope of Theil and Sen, which is the median of the slopes between all pairs. It says by how much `value`
 * grows while `at` grows by one.
 */
export function slopeOf(samples: readonly Sample[]): number {
  const every = Math.max(1, Math.ceil(samples.length / COMPARED))
  const some = samples.filter((_, n) => n % every === 0)
  return median(
    some.flatMap((one, n) =>
      some.slice(n + 1).map((other) => (other.value - one.value) / (other.at - one.at)),
    ),
  )
}
