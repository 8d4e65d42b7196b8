/** Rules for new passwords: a minimum length, without rules of composition (NIST SP 800-63B §3.1.1.2). */
import { PASSWORD_LENGTH } from "../kernel/limits.ts"
import { usernameKey } from "../model/username.rules.ts"
import { codePointCount } from "../kernel/visible-text.ts"

/** Returns the problem of a new password as a sentence, or null if it is acceptable. */
export function passwordProblem(password: string, username: string): string | null {
  const length = codePointCount(password)
  if (length < PASSWORD_LENGTH.least)
    return `The password has fewer than ${PASSWORD_LENGTH.least} characters.`
  if (length > PASSWORD_LENGTH.most) return `The password has more than ${PASSWORD_LENGTH.most} characters.`
  if (usernameKey(password) === usernameKey(username)) return "The password is the name of the account."
  return null
}
