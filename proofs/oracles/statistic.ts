/**
 * Tests whether two lists of times have the same distribution. It uses the rank-sum test of Mann and Whitney, which
 * outliers do not affect.
 */

export type Comparison = {
  /** The difference of the ranks, in standard deviations of chance. */
  readonly z: number
  /** The median of the second list minus the median of the first, in the unit of the lists. */
  readonly medianDifference: number
}

export function compare(first: readonly number[], second: readonly number[]): Comparison {
  const all = [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false })),
  ].sort((a, b) => a.value - b.value)
  const [n, m] = [first.length, second.length]
  let rankSum = 0
  let ties = 0
  for (let from = 0; from < all.length;) {
    let to = from
    while (to < all.length && all[to]?.value === all[from]?.value) to++
    // Equal values share the mean of their ranks.
    const rank = (from + 1 + to) / 2
    for (const { isFirst } of all.slice(from, to)) if (isFirst) rankSum += rank
    ties += (to - from) ** 3 - (to - from)
    from = to
  }
  const count = n + m
  const expected = (n * (count + 1)) / 2
  const variance = ((n * m) / 12) * (count + 1 - ties / (count * (count - 1)))
  return {
    z: variance === 0 ? 0 : (expected - rankSum) / Math.sqrt(variance),
    medianDifference: medianOf(second) - medianOf(first),
  }
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = 0, high = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]]
  return (low + high) / 2
}
