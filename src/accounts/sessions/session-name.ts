import { digest } from "../../kernel/hash.ts"
import type { Session } from "../../model/account.rules.ts"

/** Returns the `sid` of a session in id_tokens. It opens nothing. OpenID Connect Front-Channel Logout §3. */
export function sidOf({ sessionHash }: Pick<Session, "sessionHash">): string {
  return digest(`sid ${sessionHash}`)
}
