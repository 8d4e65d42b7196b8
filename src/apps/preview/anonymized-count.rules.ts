/** Rounds counts of people for the owner of an app. The owner must not learn who uses the app. */

/** A count below this could identify a person. */
const FEW = 5

/**
 * Rounds a count as text. Counts from one to four become 1. Other counts are rounded down to a multiple of five, and
 * from 100 on to two digits. One person more or less therefore rarely shows.
 */
export function anonymizedText(count: number): number {
  if (count < FEW) return Math.min(count, 1)
  const step = count < 100 ? FEW : 10 ** (Math.floor(Math.log10(count)) - 1)
  return Math.floor(count / step) * step
}

/** The values of a text with such a count: `about` is `few`, `about` or `more`, and `count` is the rounded number. */
export type AnonymizedValues = { readonly about: "few" | "about" | "more"; readonly count: number }

export function anonymizedValues(count: number, isWhole = true): AnonymizedValues {
  if (count < FEW) return { about: "few", count: FEW }
  return { about: isWhole ? "about" : "more", count: anonymizedText(count) }
}

/**
 * Formats a count for the API, such as `no account`, `fewer than 5 accounts` or `about 35 accounts`. If `isWhole` is
 * false, counting stopped early, and the text is `more than 19,000 accounts`.
 */
export function anonymizedCount(count: number, one: string, isWhole = true): string {
  if (count === 0) return `no ${one}`
  if (count < FEW) return `fewer than ${FEW} ${one}s`
  return `${isWhole ? "about" : "more than"} ${anonymizedText(count).toLocaleString("en")} ${one}s`
}
