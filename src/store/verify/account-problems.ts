/** The invariants of a stored account. */
import { isUserId } from "../../kernel/identifier.ts"
import { NO_PASSWORD } from "../../model/account.rules.ts"
import { parsePasswordHash } from "../../model/moved/password-hash.rules.ts"
import { parseUsername, usernameProblems } from "../../model/username.rules.ts"
import type { AccountRow } from "../codecs/account-row.ts"
import { problemsIn } from "./rule.ts"

/** The row, and the groups of its memberships. */
export type VerifiedAccountRow = AccountRow & { readonly memberships: string }

export function accountProblems(row: VerifiedAccountRow): string[] {
  return [
    ...nameProblems(row),
    ...problemsIn(
      [row.user_id === null || !isUserId(row.user_id), "user_id is not an identifier"],
      [
        row.type === "person" &&
          row.password_hash !== NO_PASSWORD &&
          !row.password_hash.startsWith("$argon2id$") &&
          parsePasswordHash(row.password_hash) === null,
        "password_hash is not of argon2id or of an import",
      ],
      [row.groups !== row.memberships, "groups are not those of its memberships"],
      [row.type === "service" && row.password_hash !== "", "a service account has a password"],
    ),
  ]
}

function nameProblems({ username, username_key: key }: AccountRow): string[] {
  const parsed = parseUsername(username)
  if (!parsed.ok) return [`username: ${usernameProblems[parsed.error]}`]
  return problemsIn(
    [parsed.value.username !== username, "username is not composed and trimmed"],
    [parsed.value.usernameKey !== key, "username_key is not the canonical form of username"],
  )
}
