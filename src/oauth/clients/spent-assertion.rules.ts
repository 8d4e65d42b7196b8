/**
 * An assertion authenticates one request. A network library may repeat a request with the same assertion. The same body
 * at the same endpoint is therefore accepted again if `OnRepeat` allows it: interface KEY-5, KEY-6.
 */
import type { Decided } from "../../model/change.rules.ts"
import type { Result } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { wireError } from "../../model/refusals/reasons.rules.ts"
import * as spent from "../../platform/statements/spent.rules.ts"
import { assertionRefusal } from "./client-assertion.rules.ts"
import type { Caller } from "./client-authentication.rules.ts"

/** Gets the decision for the same request with an unused assertion. A result of null refuses the repeat. */
export type OnRepeat<A> = spent.OnRepeat<A, Refusal>

/**
 * A caller that may not use the endpoint at all gets its refusal, and no row is stored: anyone can register an app with
 * a key and send any number of assertions. Without an assertion that counts once, the decision is returned unchanged. Refuses:
 * assertionReplayed, assertionExpired.
 */
export function spendAssertion<A>(
  { proof }: Caller,
  earlier: spent.EarlierUses,
  decision: Decided<Result<A, Refusal>>,
  onRepeat: OnRepeat<A> | null = null,
): Decided<Result<A, Refusal>> {
  const spending = proof?.spending ?? null
  if (spending === null || isUnauthorized(decision.answer)) return decision
  return spent.spendStatement(spending, earlier, decision, assertionRefusal, onRepeat)
}

function isUnauthorized(answer: Result<unknown, Refusal>): boolean {
  return !answer.ok && wireError(answer.error.reason).error === "unauthorized_client"
}
