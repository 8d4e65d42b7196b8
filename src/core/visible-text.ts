/** Text that is shown to a person who decides something by it. */

/**
 * Control characters, format characters (zero-width, and those that turn the direction of writing), line and paragraph
 * separators, lone surrogates, and the letters that draw nothing: what reads as one name must not be another.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]/u

export function isVisibleText(text: string): boolean {
  return !HIDDEN.test(text)
}

/** Characters as a person counts code points, not UTF-16 units. */
export function codePointCount(text: string): number {
  return [...text].length
}
