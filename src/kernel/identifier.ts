/** The syntax of identifiers: 26 characters of lower-case Crockford base32, which leaves out i, l, o and u. */

const IDENTIFIER = /^[0-9a-hjkmnp-tv-z]{26}$/

/** Whether `text` can be an identifier at all. What cannot is unknown, and is never looked up. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text)
}
