import type { Hash } from "./ids.ts"

/** Compares two digests. The duration depends only on their length. */
export function sameHash(a: Hash, b: Hash): boolean {
  return sameCharacters(a, b)
}

/** Compares two strings. The duration depends only on their length. */
export function sameCharacters(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}
