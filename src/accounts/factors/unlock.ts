/** Lets unknown browsers use the codes of an account again, on behalf of an administrator: FACTOR-11. */
import { type Account, asPerson } from "../../model/account.rules.ts"
import type { UserId } from "../../kernel/ids.ts"
import { type Decided, decided } from "../../model/change.rules.ts"
import { decideUnlock } from "./code-tries.rules.ts"
import { isUserId } from "../../kernel/identifier.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import type { Services } from "../../platform/services/services.ts"
import type { Actor } from "../../model/event.rules.ts"
import { findPerson } from "../find-account.ts"

type Needs = Pick<Services, "store" | "clock">

/** Resets the counts of failed codes. Does nothing if no code has failed. */
export async function unlockAccount(
  services: Needs,
  name: string,
  from: Actor,
): Promise<Result<Account, Problem>> {
  const found = await findPerson(services, name)
  return found.ok ? unlockAccountOfId(services, found.value.userId, from) : found
}

export function unlockAccountOfId(
  { store, clock }: Needs,
  id: string,
  { address, actorId = null }: Actor,
): Promise<Result<Account, Problem>> {
  const userId = isUserId(id) ? (id as UserId) : null
  const now = clock.now()
  return store.change(
    { account: userId, codeTries: userId },
    ({ account, codeTries }): Decided<Result<Account, Problem>> => {
      const person = asPerson(account)
      return person === null
        ? decided(err("There is no such account."))
        : decided(ok(person), ...decideUnlock(codeTries, { userId: person.userId, actorId, address }, now))
    },
  )
}
