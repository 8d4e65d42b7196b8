/** Checks names that a person reads before a decision, such as the name of an app on the consent page. */

/** They could make one name look like another: control and format characters, lone surrogates, blank letters. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]/u

export function isVisibleText(text: string): boolean {
  return !HIDDEN.test(text)
}

/** Joiners where they are needed: inside an emoji, and between letters of scripts that are spelled with them. */
const NEEDED_JOINER =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=[\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Gujr}\p{scx=Guru}\p{scx=Knda}\p{scx=Mlym}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Sinh}\p{scx=Khmr}])[\u200c\u200d](?=\p{L})/gu

/**
 * A label does not identify an app. It may contain joined emoji, and the joiners that some scripts need. A combining mark
 * has a letter before it.
 */
export function isVisibleLabel(text: string): boolean {
  return isVisibleText(text.replace(NEEDED_JOINER, "")) && !/^\p{M}/u.test(text)
}

/** Returns the number of code points, which may be smaller than the number of UTF-16 units. */
export function codePointCount(text: string): number {
  return [...text].length
}

/** Scripts with letters that look alike. A word that mixes them can imitate another word. UTS 39 §5.2. */
const PASS_FOR_EACH_OTHER = [/\p{scx=Latin}/u, /\p{scx=Cyrillic}/u, /\p{scx=Greek}/u] as const

/**
 * Returns a message for the person who chose the name of an unverified app or of an account. Returns null if the name is
 * allowed.
 */
export function lookAlikeProblem(name: string): string | null {
  const isMixed = (word: string) => PASS_FOR_EACH_OTHER.filter((script) => script.test(word)).length > 1
  return name.split(/[^\p{L}\p{M}]+/u).some(isMixed)
    ? "One word of the name mixes Latin, Cyrillic or Greek letters, which look alike."
    : null
}
