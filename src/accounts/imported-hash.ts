/** Replaces the imported hash of a password that was just right. MOVE-4. */
import { asPerson, type Person } from "../model/account.rules.ts"
import { decided } from "../model/change.rules.ts"
import { isImportedHash } from "../model/moved/password-hash.rules.ts"
import { hashPassword, verifyPassword } from "../platform/services/password.ts"
import { type PasswordPlace, PasswordQueueFull } from "../platform/services/password-queue.ts"
import type { Services } from "../platform/services/services.ts"

/** Returns the account with the new hash. If the queue is full, the next sign-in replaces the hash. */
export async function replaceImportedHash(
  { store }: Pick<Services, "store">,
  person: Person,
  password: string,
  place: PasswordPlace,
): Promise<Person> {
  const { userId, passwordHash: imported } = person
  if (!isImportedHash(imported)) return person
  try {
    const passwordHash = await hashPassword(password, place)
    const found = await store.change({ account: userId }, ({ account }) => {
      const current = asPerson(account)
      if (current?.passwordHash !== imported) return decided(current)
      const replaced = { ...current, passwordHash }
      return decided(replaced, { change: "accountChanged", account: replaced })
    })
    if (found === null || found.passwordHash === passwordHash) return found ?? person
    // Another sign-in was faster, or the password has changed.
    return (await verifyPassword(password, found.passwordHash, place)) ? found : person
  } catch (problem) {
    if (problem instanceof PasswordQueueFull) return person
    throw problem
  }
}
