/**
 * An assertion authenticates one request. A network library may repeat a request with the same assertion. The same body
 * at the same endpoint is therefore accepted again if `OnRepeat` allows it: interface KEY-5, KEY-6.
 */
import { type Decided, decided } from "../../model/change.rules.ts"
import type { SpentAssertion } from "../../model/clients/client.rules.ts"
import { KEPT_AFTER_END_SECONDS } from "../../kernel/limits.ts"
import { type Result, err } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { wireError } from "../../model/refusals/reasons.rules.ts"
import type { AssertionProof, Caller } from "./client-authentication.rules.ts"

/** Gets the decision for the same request with an unused assertion. A result of null refuses the repeat. */
export type OnRepeat<A> = (decision: Decided<Result<A, Refusal>>) => Decided<Result<A, Refusal>> | null

type EarlierUses = {
  readonly spentAssertion: SpentAssertion | null
  /** Assertions that expired up to this time may have been used and deleted. */
  readonly meta: { readonly value: string } | null
}

/**
 * A caller that may not use the endpoint at all gets its refusal, and no row is stored: anyone can register an app with
 * a key and send any number of assertions. Without an assertion, the decision is returned unchanged. Refuses:
 * assertionReplayed, assertionExpired.
 */
export function spendAssertion<A>(
  { proof }: Caller,
  { spentAssertion: stored, meta }: EarlierUses,
  decision: Decided<Result<A, Refusal>>,
  onRepeat: OnRepeat<A> | null = null,
): Decided<Result<A, Refusal>> {
  if (proof === null || isUnauthorized(decision.answer)) return decision
  const { spent } = proof
  if (stored === null && isDeleted(proof, meta)) return decided(err({ reason: "assertionExpired" }))
  if (stored === null)
    return decided(decision.answer, ...decision.changes, { change: "assertionSpent", spent })
  const repeated = stored.bodyHash === spent.bodyHash && onRepeat !== null ? onRepeat(decision) : null
  return repeated ?? decided(err({ reason: "assertionReplayed" }))
}

function isUnauthorized(answer: Result<unknown, Refusal>): boolean {
  return !answer.ok && wireError(answer.error.reason).error === "unauthorized_client"
}

/**
 * Whether an earlier use may have been deleted. This happens only if the clock was set back. If the deletion is more
 * than a week ahead, that clock was wrong, and it must not lock an app out for years.
 */
function isDeleted({ spent, provenAt }: AssertionProof, swept: EarlierUses["meta"]): boolean {
  const upTo = Number(swept?.value ?? Number.NaN)
  return spent.deleteAfter <= upTo && upTo <= provenAt + KEPT_AFTER_END_SECONDS
}
