/** Replaces the imported hash of a password that was just right. MOVE-4. */
import { asPerson, type Person } from "../model/account.rules.ts"
import { decided } from "../model/change.rules.ts"
import { isImportedHash } from "../model/moved/password-hash.rules.ts"
import { hashPassword, verifyPassword } from "../platform/services/password.ts"
import { type PasswordPlace, PasswordQueueFull } from "../platform/services/password-queue.ts"
import type { Services } from "../platform/services/services.ts"

const BCRYPT_BYTES = 72

/** Returns the account with the new hash. If the queue is full, the next sign-in replaces the hash. */
export async function replaceImportedHash(
  { store }: Pick<Services, "store">,
  person: Person,
  password: string,
  place: PasswordPlace,
): Promise<Person> {
  const { userId, passwordHash: imported } = person
  if (!isImportedHash(imported) || !isWholePassword(password, imported)) return person
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

/**
 * Whether the check read the whole password. bcrypt reads 72 bytes. Of a longer password the rest may be wrong, so that
 * a new hash would lock its owner out. Its hash stays as it is.
 */
function isWholePassword(password: string, imported: string): boolean {
  const forms = [password, password.normalize("NFKC")]
  return !imported.startsWith("$2") || forms.every((form) => Buffer.byteLength(form) <= BCRYPT_BYTES)
}
