/** Rules for new passwords: a minimum length, without rules of composition (NIST SP 800-63B §3.1.1.2). */
import { PASSWORD_LENGTH } from "../kernel/account-limits.ts"
import { usernameKey } from "../model/username.rules.ts"
import { codePointCount } from "../kernel/visible-text.ts"

/** The problems of passwords, for the API and the command line. Pages have these texts in the language of the person. */
export const passwordProblems = {
  "too-short": `The password has fewer than ${PASSWORD_LENGTH.least} characters.`,
  "too-long": `The password has more than ${PASSWORD_LENGTH.most} characters.`,
  "is-name": "The password is the name of the account.",
} as const

export type PasswordProblem = keyof typeof passwordProblems

/** Returns the problem of a new password, or null if it is acceptable. */
export function passwordProblem(password: string, username: string): PasswordProblem | null {
  const length = codePointCount(password)
  if (length < PASSWORD_LENGTH.least) return "too-short"
  if (length > PASSWORD_LENGTH.most) return "too-long"
  return usernameKey(password) === usernameKey(username) ? "is-name" : null
}
