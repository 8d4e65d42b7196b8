/** An account by its name, and who asks for something to be done to one. */
import type { UserId } from "../kernel/ids.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import type { Account } from "../records/account.rules.ts"
import { usernameKey } from "../records/username.rules.ts"
import type { Services } from "../services/services.ts"

/** The actor, as the audit trail keeps it. The command line has no address. */
export type Actor = {
  readonly address: string | null
  /** The acting account; left out if it acts on itself, and on the command line. */
  readonly actorId?: UserId | null | undefined
}

/** The account with this name, in any spelling that has the same key. */
export async function findAccount(
  { store }: Pick<Services, "store">,
  name: string,
): Promise<Result<Account, Problem>> {
  const { accountByName } = await store.read({ accountByName: usernameKey(name) })
  return accountByName === null ? unknownAccount(name) : ok(accountByName)
}

export function unknownAccount(name: string) {
  return err(`There is no account named "${name}".`)
}
