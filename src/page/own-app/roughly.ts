/** Numbers of people that are told to somebody who must not learn who they are. */

/** Below this, a number could stand for somebody in particular. */
const FEW = 5

/**
 * `nobody`, `fewer than 5 accounts`, `about 35 accounts`: rounded down to fives, above a hundred to two figures, so that one
 * person more or less does not show. Where not all were counted (`isWhole`), `more than 19,000 accounts`.
 */
export function roughly(count: number, one: string, isWhole = true): string {
  if (count === 0) return `no ${one}`
  if (count < FEW) return `fewer than ${FEW} ${one}s`
  const step = count < 100 ? FEW : 10 ** (Math.floor(Math.log10(count)) - 1)
  return `${isWhole ? "about" : "more than"} ${(Math.floor(count / step) * step).toLocaleString("en")} ${one}s`
}
