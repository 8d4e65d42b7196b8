/** Why a credential reaches what it reaches: for administrators, and for the account holder of his own. */
import type { TokenId } from "../core/brand.ts"
import { explanation, type Explanation } from "../core/explanation.ts"
import { isIdentifier } from "../core/identifier.ts"
import { declined, done, type Outcome } from "../core/outcome.ts"
import type { Latchkey } from "./latchkey.ts"

/** Any credential whose row is still there, alive or over. Writes nothing, also where time has ended it. */
export async function explain(
  { store, clock, catalogue }: Pick<Latchkey, "store" | "clock" | "catalogue">,
  id: string,
): Promise<Outcome<Explanation>> {
  const tokenId = isIdentifier(id) ? (id as TokenId) : null
  const { credential, appOf, ownerOf } = await store.read({
    credential: tokenId,
    appOf: tokenId,
    ownerOf: tokenId,
  })
  return credential === null
    ? declined(`There is no credential ${JSON.stringify(id)}.`)
    : done(explanation(catalogue, credential, appOf, ownerOf, clock.now()))
}
