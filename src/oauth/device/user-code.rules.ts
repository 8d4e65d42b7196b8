/** The code that a person types: RFC 8628 §6.1. Eight letters, no vowels, so that it spells nothing. */

export const USER_CODE_ALPHABET = "BCDFGHJKLMNPQRSTVWXZ"
export const USER_CODE_LENGTH = 8

const LETTERS = new RegExp(`^[${USER_CODE_ALPHABET}]{${USER_CODE_LENGTH}}$`)

/**
 * The eight letters of what a person typed, in either case, with or without separators; null for other text. Only
 * ASCII counts: letters that merely look alike, or fold into one, are not the code.
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
