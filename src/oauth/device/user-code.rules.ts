/** The code that a person types: RFC 8628 §6.1. Eight letters without vowels, so that it spells no word. */

export const USER_CODE_ALPHABET = "BCDFGHJKLMNPQRSTVWXZ"
export const USER_CODE_LENGTH = 8

const LETTERS = new RegExp(`^[${USER_CODE_ALPHABET}]{${USER_CODE_LENGTH}}$`)

/**
 * The eight letters that a person typed, in either case, with or without separators; null if they cannot be a code.
 * Only ASCII counts: letters that only look alike are refused.
 */
export function parseUserCode(typed: string): string | null {
  if (typed.length > 64 || !/^[\x20-\x7e]*$/.test(typed)) return null
  const letters = typed.replace(/[ ._-]/g, "").toUpperCase()
  return LETTERS.test(letters) ? letters : null
}

/** As it is shown: `XXXX-XXXX`. */
export function shownUserCode(letters: string): string {
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}
