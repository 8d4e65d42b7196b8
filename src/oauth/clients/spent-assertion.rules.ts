/**
 * An assertion authenticates one request. A network library may repeat a request with the same assertion. The same body
 * at the same endpoint is therefore accepted again if `OnRepeat` allows it: interface KEY-5, KEY-6.
 */
import { type Decided, decided } from "../../records/change.rules.ts"
import type { SpentAssertion } from "../../records/key.rules.ts"
import { type Result, err } from "../../kernel/result.ts"
import type { Refusal } from "../refusal.rules.ts"
import type { Caller } from "./client-authentication.rules.ts"

/**
 * Decides on a repeated request. Its parameter is the decision for the same request with an unused assertion. A result
 * of null refuses the repeat.
 */
export type OnRepeat<A> = (decision: Decided<Result<A, Refusal>>) => Decided<Result<A, Refusal>> | null

/**
 * Adds the use of the caller's assertion to a decision. `stored` is an earlier use. Without an assertion, the decision
 * is returned unchanged. Refuses: assertionReplayed.
 */
export function spendAssertion<A>(
  { proof }: Caller,
  stored: SpentAssertion | null,
  decision: Decided<Result<A, Refusal>>,
  onRepeat: OnRepeat<A> | null = null,
): Decided<Result<A, Refusal>> {
  if (proof === null) return decision
  const { spent } = proof
  if (stored === null)
    return decided(decision.answer, ...decision.changes, { change: "assertionSpent", spent })
  const repeated = stored.bodyHash === spent.bodyHash && onRepeat !== null ? onRepeat(decision) : null
  return repeated ?? decided(err({ reason: "assertionReplayed" }))
}
