/** Credentials that end with a sign-in session. */
import type { TokenId } from "../../kernel/ids.ts"
import type { Session } from "../../model/account.rules.ts"
import { sessionEndsAt } from "./retention.ts"
import { insertInto } from "./insert.ts"
import type { Value } from "./value.ts"

export type SessionCredentialRow = {
  readonly token_id: string
  readonly session_hash: string
  readonly user_id: string
  readonly ends_at: number
}

export const sessionCredentialColumns = "token_id, session_hash, user_id, ends_at"

export const INSERT_SESSION_CREDENTIAL = insertInto("session_credential", sessionCredentialColumns)

export function sessionCredentialValues(tokenId: TokenId, session: Session): Value[] {
  const { sessionHash, userId, createdAt, seenAt } = session
  return [tokenId, sessionHash, userId, sessionEndsAt(createdAt, seenAt)]
}

/**
 * Passes credentials on to the next session. The parameters are the digest and the end of the next session, the digest
 * of the previous session, and their account.
 */
export const PASS_ON =
  "UPDATE session_credential SET session_hash = ?, ends_at = ? WHERE session_hash = ? AND user_id = ?"

export function passOnValues(former: string, { sessionHash, userId, createdAt, seenAt }: Session): Value[] {
  return [sessionHash, sessionEndsAt(createdAt, seenAt), former, userId]
}
