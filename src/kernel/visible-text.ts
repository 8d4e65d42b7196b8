/** Text that is shown to a person who decides something by it. */

/**
 * Control characters, format characters (zero-width, and those that turn the direction of writing), line and paragraph
 * separators, lone surrogates, and the letters that draw nothing: what reads as one name must not be another.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]/u

export function isVisibleText(text: string): boolean {
  return !HIDDEN.test(text)
}

/**
 * The two joiners, where writing needs them: inside an emoji, and between letters of the scripts that are spelled with
 * them. Between letters of any other script they would only hide.
 */
const NEEDED_JOINER =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=[\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Gujr}\p{scx=Guru}\p{scx=Knda}\p{scx=Mlym}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Sinh}\p{scx=Khmr}])[\u200c\u200d](?=\p{L})/gu

/** The same for a label that identifies nothing: joined emoji and the spelling of every script pass. */
export function isVisibleLabel(text: string): boolean {
  return isVisibleText(text.replace(NEEDED_JOINER, ""))
}

/** Characters as a person counts code points, not UTF-16 units. */
export function codePointCount(text: string): number {
  return [...text].length
}

/** Scripts whose letters pass for each other: a word that mixes them reads as another word. UTS 39 §5.2. */
const PASS_FOR_EACH_OTHER = [/\p{scx=Latin}/u, /\p{scx=Cyrillic}/u, /\p{scx=Greek}/u] as const

/** Why an unverified name may not be shown, in a sentence for the person who chose it; null if it may. */
export function lookAlikeProblem(name: string): string | null {
  const isMixed = (word: string) => PASS_FOR_EACH_OTHER.filter((script) => script.test(word)).length > 1
  return name.split(/[^\p{L}\p{M}]+/u).some(isMixed)
    ? "One word of the name mixes Latin, Cyrillic or Greek letters, which look alike."
    : null
}
