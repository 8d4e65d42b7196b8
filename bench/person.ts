/** The account of a person, for a benchmark. */
import { type Account, newPerson } from "../src/model/account.rules.ts"
import { newId } from "../src/kernel/random.ts"
import type { UserId } from "../src/kernel/ids.ts"

/** It is as long as a real hash. No password matches it. */
const HASH = `$argon2id$v=19$m=19456,t=2,p=1$${"s".repeat(22)}$${"h".repeat(43)}`

export function person(
  username: string,
  createdAt: number,
  of: Partial<Pick<Account, "passwordHash" | "admin">> = {},
): Account {
  return newPerson(
    { username, usernameKey: username },
    { userId: newId<UserId>(createdAt), passwordHash: HASH, admin: false, createdAt, ...of },
  )
}
