/** What an app learns about the account, by the permissions that it reaches. OpenID Connect Core §5.1; interface OIDC-3. */
import type { ClientId, UserId } from "../../kernel/ids.ts"
import type { Account } from "../../model/account.rules.ts"
import type { AccountEmail } from "../../model/mail/email.rules.ts"

/** What an id_token says about its account, app and session. `sid` is null if it was made for a device. */
export type IdTokenHint = {
  /** Null if the key was withdrawn, because another holder of it may have signed. */
  readonly userId: UserId | null
  readonly clientId: ClientId
  readonly sid: string | null
}

export type Claims = {
  readonly sub: string
  readonly preferred_username?: string
  readonly name?: string
  readonly email?: string
  readonly email_verified?: true
  readonly groups?: readonly string[]
}

/** The address is the confirmed one. Without one, there is neither `email` nor `email_verified`. */
export function claimsOf(
  reached: readonly string[],
  account: Pick<Account, "userId" | "username" | "groups">,
  email: Pick<AccountEmail, "address"> | null,
): Claims {
  const { userId, username, groups } = account
  return {
    sub: userId,
    ...(reached.includes("profile") && { preferred_username: username, name: username }),
    ...(reached.includes("email") && email !== null && { email: email.address, email_verified: true }),
    ...(reached.includes("groups") && { groups }),
  }
}
