/** The account of a source, and the report of what in it cannot move in. */
import type { Moved, MovedAccount, Skipped } from "./moved.rules.ts"
import { unusableOtp } from "./otp.rules.ts"
import { importedHash, unusablePassword } from "./password-dialect.rules.ts"

export type AccountInSource = Pick<MovedAccount, "userId" | "username" | "enabled" | "createdAt"> & {
  /** The hash as the source has it, or an empty text. */
  readonly hash: string
  /** Only for a source with a form of hashes of its own. */
  readonly passwordHash?: MovedAccount["passwordHash"]
  /** Null stands for a one-time password of a kind that is not supported. */
  readonly otpSecrets: readonly (string | null)[]
}

/** Returns the account. `more` is what else of it stays behind. */
export function accountOf(
  { hash, passwordHash = importedHash(hash), otpSecrets: all, ...account }: AccountInSource,
  more: readonly Skipped[] = [],
): Moved {
  const otpSecrets = all.filter((secret) => secret !== null)
  return {
    kind: "account",
    account: { ...account, passwordHash, otpSecrets },
    skipped: [
      ...(passwordHash === null ? [unusablePassword(account.username, hash)] : []),
      ...(otpSecrets.length < all.length ? [unusableOtp(account.username)] : []),
      ...more,
    ],
  }
}
