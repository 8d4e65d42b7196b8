import type { UserId } from "../kernel/ids.ts"
import { isIdentifier, isUserId } from "../kernel/identifier.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import { type Account, asPerson, type Person } from "../model/account.rules.ts"
import { usernameKey } from "../model/username.rules.ts"
import type { Services } from "../platform/services/services.ts"

/** For an unknown name, this account is looked up, so that it takes as long as for a known name. ERR-11. */
export const NO_ACCOUNT = "0".repeat(26) as UserId

/** Finds an account by its name. Two spellings with the same `usernameKey` are the same account. */
export async function findAccount(
  { store }: Pick<Services, "store">,
  name: string,
): Promise<Result<Account, Problem>> {
  const found = await accountNamed(store, name)
  return found === null ? unknownAccount(name) : ok(found)
}

/** Returns null for an unknown name, and for the name of an account that an import is staging. MOVE-5. */
export async function accountNamed(store: Services["store"], name: string): Promise<Account | null> {
  const { accountByName } = await store.read({ accountByName: usernameKey(name) })
  return (await store.read({ account: accountByName?.userId ?? null })).account
}

/** Finds a person by name. Refuses a service account, which has no password, factors or sessions. */
export async function findPerson(
  services: Pick<Services, "store">,
  name: string,
): Promise<Result<Person, Problem>> {
  const found = await findAccount(services, name)
  if (!found.ok) return found
  const person = asPerson(found.value)
  return person === null ? err(`There is no account named "${name}" that signs in.`) : ok(person)
}

/** Whether an account has this id, or may have had it. Its events may still be stored. */
export async function hasHadAccount(store: Services["store"], id: string): Promise<boolean> {
  if (isIdentifier(id)) return true
  if (!isUserId(id)) return false
  const { account } = await store.read({ account: id as UserId })
  return account !== null || (await store.taken([id], [], [])).removed.length > 0
}

export function unknownAccount(name: string) {
  return err(`There is no account named "${name}".`)
}
