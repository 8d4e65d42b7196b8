import { USERNAME_LENGTH_AT_MOST } from "../kernel/account-limits.ts"
import { codePointCount, isVisibleText, lookAlikeProblem } from "../kernel/visible-text.ts"
import { type Result, err, ok } from "../kernel/result.ts"

/**
 * Returns the form in which names are compared: NFKC, case-folded and trimmed. The name is lowercased, uppercased and
 * lowercased again. This makes ẞ, ß and ss equal, and all forms of sigma. Returns an empty text for a text that is too
 * long. No account has such a name.
 */
export function usernameKey(name: string): string {
  // Normalizing many combining marks takes quadratic time.
  if (name.length > USERNAME_UNITS_AT_MOST) return ""
  return fold(name.normalize("NFKC")).normalize("NFKC").trim()
}

function fold(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase()
}

/** The maximum number of UTF-16 units before normalization, with room for combining marks. */
const USERNAME_UNITS_AT_MOST = 4 * USERNAME_LENGTH_AT_MOST

/** The problems of names, for the API and the command line. Pages have these texts in the language of the person. */
export const usernameProblems = {
  empty: "The name is empty.",
  "too-long": `The name has more than ${USERNAME_LENGTH_AT_MOST} characters.`,
  unseen: "The name has a character that cannot be seen.",
  spaces: "The name has two spaces in a row, or white space that is not a plain space.",
  "look-alike": "One word of the name mixes Latin, Cyrillic or Greek letters, which look alike.",
} as const

export type UsernameProblem = keyof typeof usernameProblems

export type Username = { readonly username: string; readonly usernameKey: string }

/** Returns the name to display (NFC, trimmed) and its key. */
export function parseUsername(name: string): Result<Username, UsernameProblem> {
  if (name.length > USERNAME_UNITS_AT_MOST) return err("too-long")
  const username = name.normalize("NFC").trim()
  const key = usernameKey(username)
  const problem = problemOf(username, key)
  return problem === null ? ok({ username, usernameKey: key }) : err(problem)
}

/** Parses the name of a new account. Names that exist stay valid, also if they mix scripts. NAME-1. */
export function parseNewUsername(name: string): Result<Username, UsernameProblem> {
  const one = parseUsername(name)
  return one.ok && mixedScriptsProblem(one.value) !== null ? err("look-alike") : one
}

/** The name must not imitate another one. The key shows what NFKC makes of letters such as 𝐚. */
export function mixedScriptsProblem({ username, usernameKey: key }: Username): string | null {
  return lookAlikeProblem(username) ?? lookAlikeProblem(key)
}

function problemOf(username: string, key: string): UsernameProblem | null {
  if (username === "" || key === "") return "empty"
  if (Math.max(codePointCount(username), codePointCount(key)) > USERNAME_LENGTH_AT_MOST) return "too-long"
  if (!isVisibleText(username) || !isVisibleText(key)) return "unseen"
  // Names that differ only in their spaces would look equal on a page.
  if (/[^\S ]|  /.test(username) || /[^\S ]|  /.test(key)) return "spaces"
  return null
}
