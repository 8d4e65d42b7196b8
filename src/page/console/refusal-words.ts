/** Names of reasons and outcomes on plots and in lists. */

/** `refreshTokenUnknown` as `Refresh token unknown`; null is what is left over. */
export function reasonInWords(reason: string | null): string {
  if (reason === null) return "Everything else"
  const words = reason
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll(" uri", " address")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const outcomes: ReadonlyMap<string, string> = new Map([
  ["asked", "Asked for"],
  ["approved", "Approved"],
  ["refused", "Refused"],
  ["expired", "Expired"],
  ["redeemed", "Fetched"],
])

export function outcomeInWords(outcome: string): string {
  return outcomes.get(outcome) ?? outcome
}
