/** A line through samples of which some are far off. */

export type Sample = { readonly at: number; readonly value: number }

/** The median; NaN of an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? NaN : (low + high) / 2
}

/** How many samples are compared with each other. */
const COMPARED = 300

/** Theil and Sen's slope, the median of those between all pairs: by how much `value` grows while `at` grows by one. */
export function slopeOf(samples: readonly Sample[]): number {
  const every = Math.max(1, Math.ceil(samples.length / COMPARED))
  const some = samples.filter((_, n) => n % every === 0)
  return median(
    some.flatMap((one, n) =>
      some.slice(n + 1).map((other) => (other.value - one.value) / (other.at - one.at)),
    ),
  )
}
