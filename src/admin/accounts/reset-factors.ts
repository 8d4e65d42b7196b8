/** Resets the factors of an account that is named by its username. */
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import type { Account } from "../../model/account.rules.ts"
import { isSecondFactor } from "../../model/factor.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import type { Actor } from "../../model/event.rules.ts"
import { findPerson } from "../../accounts/find-account.ts"
import { factorsOf, resetFactorsOf } from "../../accounts/factors/factor.ts"

type Needs = Pick<Services, "store" | "clock">

export type ResetFactors = { readonly account: Account; readonly removed: number }

/** Removes all factors of a person who lost them, and signs out every browser. */
export async function resetFactors(
  services: Needs,
  name: string,
  from: Actor,
): Promise<Result<ResetFactors, Problem>> {
  const found = await findPerson(services, name)
  if (!found.ok) return found
  const account = found.value
  const removed = (await factorsOf(services, account.userId)).filter(isSecondFactor).length
  const isDone = await resetFactorsOf(services, account.userId, from)
  return isDone ? ok({ account, removed }) : err(`There is no account named "${name}".`)
}
