/** Prepares untrusted names for pages. A name must not reorder, hide or cover other words (RFC 7591 §5). */

/** Control and format characters, line separators, blank letters. Scripts and pictograms need the two joiners. */
const unseen =
  /(?![\u200c\u200d])\p{Cf}|[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]/gu

/** No script needs more than four combining marks. More marks would cover the lines above and below. */
const stackedMarks = /(\p{M}{4})\p{M}+/gu

/** It reads tables of Unicode, so it is created for the first text with other characters than ASCII. */
let segmenter: Intl.Segmenter | undefined

/** Splits a text into the characters that a reader sees. */
export function graphemes(text: string): string[] {
  // In ASCII, every character is one grapheme.
  if (/^[\x20-\x7e]*$/.test(text)) return text.split("")
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Words of ASCII with single spaces. Nothing in them needs preparation. */
const plainName = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/

/** Returns at most `most` visible characters of `name` on one line. If nothing visible remains, returns `otherwise`. */
export function shownName(name: string, otherwise: string, most = 80): string {
  if (name.length <= most && plainName.test(name)) return name
  const plain = name.replace(/\s+/gu, " ").replace(unseen, "").replace(stackedMarks, "$1").trim()
  const characters = graphemes(plain)
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(plain)) return otherwise
  return characters.length <= most ? plain : `${characters.slice(0, most - 1).join("")}…`
}
