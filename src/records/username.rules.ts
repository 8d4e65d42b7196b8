/** Names of accounts. */
import { USERNAME_LENGTH_AT_MOST } from "../kernel/limits.ts"
import { codePointCount, isVisibleText } from "../kernel/visible-text.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"

/**
 * The one form in which names are compared: compatible characters made one (NFKC), case folded, trimmed. Going down, up
 * and down again folds more than going down alone: ẞ, ß and ss meet, and every sigma is the same. Empty, which no account is called,
 * where the text is too long for any name.
 */
export function usernameKey(name: string): string {
  // Composing a long run of combining marks takes a time that grows with its square.
  if (name.length > USERNAME_UNITS_AT_MOST) return ""
  return fold(name.normalize("NFKC")).normalize("NFKC").trim()
}

function fold(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase()
}

/** UTF-16 units of the longest name before it is composed, with room for marks. */
const USERNAME_UNITS_AT_MOST = 4 * USERNAME_LENGTH_AT_MOST

const TOO_LONG = `The name has more than ${USERNAME_LENGTH_AT_MOST} characters.`

export type Username = { readonly username: string; readonly usernameKey: string }

/** A name as it will be shown (composed and trimmed) and its key, or a sentence that says what is wrong with it. */
export function parseUsername(name: string): Result<Username, Problem> {
  if (name.length > USERNAME_UNITS_AT_MOST) return err(TOO_LONG)
  const username = name.normalize("NFC").trim()
  const key = usernameKey(username)
  const problem = problemOf(username, key)
  return problem === null ? ok({ username, usernameKey: key }) : err(problem)
}

function problemOf(username: string, key: string): string | null {
  if (username === "" || key === "") return "The name is empty."
  if (Math.max(codePointCount(username), codePointCount(key)) > USERNAME_LENGTH_AT_MOST) {
    return TOO_LONG
  }
  if (!isVisibleText(username) || !isVisibleText(key)) return "The name has a character that cannot be seen."
  // Names that differ only in their spaces look the same on a page.
  if (/[^\S ]|  /.test(username) || /[^\S ]|  /.test(key))
    return "Parts of a name are set apart by one plain space."
  return null
}
