/** The code that a person types: RFC 8628 §6.1. It has eight letters and no vowels, so it spells no word. */
import { DEVICE_PATH } from "../../platform/http/waiting.rules.ts"

export const USER_CODE_ALPHABET = "BCDFGHJKLMNPQRSTVWXZ"
export const USER_CODE_LENGTH = 8

const LETTERS = new RegExp(`^[${USER_CODE_ALPHABET}]{${USER_CODE_LENGTH}}$`)

/** Ignores case and separators. Returns null if the text cannot be a code. ASCII only, against lookalike letters. */
export function parseUserCode(typed: string): string | null {
  if (typed.length > 64 || !/^[\x20-\x7e]*$/.test(typed)) return null
  const letters = typed.replace(/[ ._-]/g, "").toUpperCase()
  return LETTERS.test(letters) ? letters : null
}

/** Formats a code as `XXXX-XXXX`. */
export function shownUserCode(letters: string): string {
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

/** The path and query of the device page with a code filled in, relative to the base path. */
export function devicePath(userCode: string): string {
  return `${DEVICE_PATH}?user_code=${encodeURIComponent(userCode)}`
}
