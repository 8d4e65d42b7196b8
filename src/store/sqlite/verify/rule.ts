/** What may be said about a stored row: a sentence for each invariant that does not hold. */

/** Collects the sentences whose condition holds. */
export function problemsIn(...claims: readonly (readonly [isBroken: boolean, problem: string])[]): string[] {
  return claims.filter(([isBroken]) => isBroken).map(([, problem]) => problem)
}

/** A SHA-256 digest, base64url without padding: 43 characters. */
export function isDigest(text: unknown): boolean {
  return typeof text === "string" && /^[A-Za-z0-9_-]{43}$/.test(text)
}

/** Names divided by single spaces, none twice. */
export function areNames(text: string): boolean {
  const names = text === "" ? [] : text.split(" ")
  return names.every((name) => name !== "") && new Set(names).size === names.length
}

export function isBit(value: number): boolean {
  return value === 0 || value === 1
}

/** Whether some of the columns are filled and some are not. */
export function isPartial(...columns: readonly unknown[]): boolean {
  const filled = columns.filter((column) => column !== null).length
  return filled !== 0 && filled !== columns.length
}
