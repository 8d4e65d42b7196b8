/**
 * Names as people see them. A name comes from whoever registered the app or typed it, so it must not reorder,
 * hide or push away the words around it (RFC 7591 §5).
 */

/**
 * Characters that draw nothing or steer what is drawn: controls, format characters (but for the two joiners that
 * scripts and pictograms need), separators of lines, and the letters that are blank.
 */
const unseen =
  /(?![\u200c\u200d])\p{Cf}|[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]/gu

/** More combining marks than any writing needs are drawn over the lines above and below. */
const stackedMarks = /(\p{M}{4})\p{M}+/gu

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" })

/** The characters as a reader counts them. */
export function graphemes(text: string): string[] {
  // In plain letters each is one of its own.
  if (/^[\x20-\x7e]*$/.test(text)) return text.split("")
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** `name` on one line without what cannot be seen, cut at `most` characters; `otherwise` where nothing remains. */
export function shownName(name: string, otherwise: string, most = 80): string {
  const plain = name.replace(/\s+/gu, " ").replace(unseen, "").replace(stackedMarks, "$1").trim()
  const characters = graphemes(plain)
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(plain)) return otherwise
  return characters.length <= most ? plain : `${characters.slice(0, most - 1).join("")}…`
}
