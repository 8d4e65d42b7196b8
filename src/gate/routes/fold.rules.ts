/** Brings a segment of a path into one form for all spellings that some server takes for the same. */

const ASCII = /^[\u0020-\u007e]*$/
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu

export function isAscii(text: string): boolean {
  return ASCII.test(text)
}

/**
 * Replaces letters with the plain ones that Unicode calls compatible, and removes characters that are not shown, such as
 * U+200B, which file systems and programs ignore when they compare names (Unicode UAX #31 §2.3, HFS+).
 */
export function compatible(text: string): string {
  return ASCII.test(text) ? text : text.normalize("NFKC").replace(IGNORABLE, "")
}

export type Spelling = {
  readonly compatible: (text: string) => string
  readonly folded: (segment: string) => string
}

export const PLAIN_SPELLING: Spelling = { compatible, folded }

/** For one path with many readings: each text is brought into its form only once. */
export function rememberedSpelling(): Spelling {
  return { compatible: remembered(compatible), folded: remembered(folded) }
}

function remembered(form: (text: string) => string): (text: string) => string {
  const forms = new Map<string, string>()
  return (text) => {
    const known = forms.get(text)
    if (known !== undefined) return known
    const made = form(text)
    forms.set(text, made)
    return made
  }
}

/** Most segments are their own folded form. */
const FOLDED = /^[a-z0-9_-]*$/

/**
 * Folds the case as programs do: by lower case, by upper case (`ß` and `SS`), and as in Turkish (`İ`, `ı` and `i`). Forms
 * encode a space as `+`. White space around a name is trimmed, and Windows ignores the dots at its end.
 */
export function folded(segment: string): string {
  if (FOLDED.test(segment)) return segment
  return trimmed(withoutCase(compatible(segment)).replaceAll("+", " "))
}

function withoutCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  const turkish = text.replaceAll(/[\u0130\u0131]/g, "i")
  return turkish.toLowerCase().toUpperCase().toLowerCase().normalize("NFKC")
}

/** A regular expression would take quadratic time for a long run of dots. */
function trimmed(text: string): string {
  const begun = text.trimStart()
  let end = begun.length
  while (end > 0 && (begun[end - 1] === "." || begun[end - 1]?.trim() === "")) end--
  return begun.slice(0, end)
}
