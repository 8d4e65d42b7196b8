/** Small parts of sentences that commands, pages, mails and logs share. */

/** Formats a count with its unit, such as `1 row` or `2 rows`. */
export function countOf(count: number, unit: string, units = `${unit}s`): string {
  return `${count} ${count === 1 ? unit : units}`
}

/** Ends a text with one period. Texts of libraries and operating systems may have one already. */
export function withPeriod(text: string): string {
  return `${text.trimEnd().replace(/[.\s]+$/, "")}.`
}
