/** Counts of people for the owner of an app, who must not learn who they are. */

/** Below this, a count could identify a person. */
const FEW = 5

/**
 * One for fewer than five; then rounded down to fives, and above a hundred to two figures, so that one person more or less
 * does not show.
 */
export function anonymizedText(count: number): number {
  if (count < FEW) return Math.min(count, 1)
  const step = count < 100 ? FEW : 10 ** (Math.floor(Math.log10(count)) - 1)
  return Math.floor(count / step) * step
}

/**
 * `no account`, `fewer than 5 accounts`, `about 35 accounts`; where not all were counted (`isWhole`), `more than 19,000
 * accounts`.
 */
export function anonymizedCount(count: number, one: string, isWhole = true): string {
  if (count === 0) return `no ${one}`
  if (count < FEW) return `fewer than ${FEW} ${one}s`
  return `${isWhole ? "about" : "more than"} ${anonymizedText(count).toLocaleString("en")} ${one}s`
}
