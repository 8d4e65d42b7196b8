/**
 * The code that a person types: RFC 8628 §6.1. Its eight letters include no vowels, so that the code spells no word.
 */

export const USER_CODE_ALPHABET = "BCDFGHJKLMNPQRSTVWXZ"
export const USER_CODE_LENGTH = 8

const LETTERS = new RegExp(`^[${USER_CODE_ALPHABET}]{${USER_CODE_LENGTH}}$`)

/**
 * Returns the eight letters of a typed code. Returns null if the text cannot be a code. Ignores case and separators.
 * Accepts only ASCII, so that lookalike letters are refused.
 */
export function parseUserCode(typed: string): string | null {
  if (typed.length > 64 || !/^[\x20-\x7e]*$/.test(typed)) return null
  const letters = typed.replace(/[ ._-]/g, "").toUpperCase()
  return LETTERS.test(letters) ? letters : null
}

/** Formats a code as `XXXX-XXXX`. */
export function shownUserCode(letters: string): string {
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}
