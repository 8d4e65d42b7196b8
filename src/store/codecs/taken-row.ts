import type { Taken } from "../../model/moved/import.rules.ts"

export type TakenAccountRow = {
  readonly user_id: string
  readonly username_key: string
  readonly imported: number
}

export const takenAccountColumns = `
  user_id, username_key, CASE WHEN EXISTS
    (SELECT 1 FROM import WHERE import.id = account.import_id AND state = 'finished') THEN 1 ELSE 0 END AS imported`

export function takenOf(
  accounts: readonly TakenAccountRow[],
  removed: readonly { readonly user_id: string }[],
  tokens: readonly { readonly token_hash: string }[],
): Taken {
  return {
    accounts: accounts.map(({ user_id, username_key, imported }) => ({
      userId: user_id,
      usernameKey: username_key,
      isImported: imported === 1,
    })),
    removed: removed.map(({ user_id }) => user_id),
    tokens: tokens.map(({ token_hash }) => token_hash),
  }
}
