/** The row that marks a statement as used. `spent.rules.ts` decides. */
import { digest } from "../../kernel/hash.ts"
import type { Hash } from "../../kernel/ids.ts"
import { metaKeys } from "../../store/loadable.ts"
import type { Judged } from "./judge.rules.ts"
import type { Spending } from "./spent.rules.ts"

/**
 * For a statement that was judged with `needsId`. `whose` is the kind of the statement and its issuer, without spaces: the same `jti` of another issuer is another
 * statement. `body` is what a repeat must have in common with the first request.
 */
export function spendingOf(
  whose: readonly string[],
  { id, overAt }: Judged,
  body: string,
  provenAt: number,
): Spending {
  if (id === null) throw new Error("a statement without jti cannot be used once")
  const assertionHash = digest([...whose, id].join(" "))
  return { spent: { assertionHash, bodyHash: digest(body), deleteAfter: overAt }, provenAt }
}

/** What a change loads for `spendStatement`. */
export function earlierUses({ spent }: Spending): { readonly spentAssertion: Hash; readonly meta: string } {
  return { spentAssertion: spent.assertionHash, meta: metaKeys.assertionsSwept }
}
