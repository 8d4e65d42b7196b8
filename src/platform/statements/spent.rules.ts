/**
 * A statement that counts once: interface STATE-5. The row is stored in the same change as what the statement causes, so
 * that two requests with one statement cannot both succeed, on all nodes together.
 */
import { KEPT_AFTER_END_SECONDS } from "../../kernel/limits.ts"
import { type Result, err } from "../../kernel/result.ts"
import { type Decided, decided } from "../../model/change.rules.ts"
import type { SpentAssertion } from "../../model/clients/client.rules.ts"

/** A proven statement that is about to be used. */
export type Spending = {
  /** The row to store. */
  readonly spent: SpentAssertion
  readonly provenAt: number
}

/** What a change loads with `earlierUses`. */
export type EarlierUses = {
  readonly spentAssertion: SpentAssertion | null
  /** Statements that expired up to this time may have been used and deleted. */
  readonly meta: { readonly value: string } | null
}

/** The outcome of a repeat. Null refuses it. */
export type OnRepeat<A, E> = (decision: Decided<Result<A, E>>) => Decided<Result<A, E>> | null

/**
 * Adds the row of the statement to the decision. A repeat, and a statement whose use may have been forgotten, change
 * nothing. `refuse` is asked with: replayed, expired. With `onRepeat`, a repeat of the same request may pass.
 */
export function spendStatement<A, E>(
  { spent, provenAt }: Spending,
  { spentAssertion: stored, meta }: EarlierUses,
  decision: Decided<Result<A, E>>,
  refuse: (fault: "replayed" | "expired") => E,
  onRepeat: OnRepeat<A, E> | null = null,
): Decided<Result<A, E>> {
  if (stored === null && isDeleted(spent, provenAt, meta)) return decided(err(refuse("expired")))
  if (stored === null)
    return decided(decision.answer, ...decision.changes, { change: "assertionSpent", spent })
  const repeated = stored.bodyHash === spent.bodyHash && onRepeat !== null ? onRepeat(decision) : null
  return repeated ?? decided(err(refuse("replayed")))
}

/**
 * Whether an earlier use may have been deleted. This happens only if the clock was set back. If the deletion is more
 * than a week ahead, that clock was wrong, and it must not lock an issuer out for years.
 */
function isDeleted({ deleteAfter }: SpentAssertion, provenAt: number, swept: EarlierUses["meta"]): boolean {
  const upTo = Number(swept?.value ?? Number.NaN)
  return deleteAfter <= upTo && upTo <= provenAt + KEPT_AFTER_END_SECONDS
}
