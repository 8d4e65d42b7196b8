/** Why a credential reaches what it reaches: of any for administrators, of their own for account holders. */
import type { Account } from "../../records/account.rules.ts"
import type { TokenId } from "../../kernel/ids.ts"
import { explanation, type Explanation } from "./explanation.rules.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import type { Services } from "../../services/services.ts"

type Needs = Pick<Services, "store" | "clock" | "catalogue">

/** Any credential whose row is still there, alive or over. Writes nothing, also where time has ended it. */
export async function explain(
  { store, clock, catalogue }: Needs,
  id: string,
): Promise<Result<Explanation, Problem>> {
  const tokenId = isIdentifier(id) ? (id as TokenId) : null
  const { credential, appOf, ownerOf } = await store.read({
    credential: tokenId,
    appOf: tokenId,
    ownerOf: tokenId,
  })
  return credential === null
    ? unknownCredential(id)
    : ok(explanation(catalogue, credential, appOf, ownerOf, clock.now()))
}

/** One of the account's own; one of another account is answered like one that does not exist. */
export async function explainOwn(
  services: Needs,
  { userId }: Pick<Account, "userId">,
  id: string,
): Promise<Result<Explanation, Problem>> {
  const explained = await explain(services, id)
  return explained.ok && explained.value.credential.consent.userId !== userId
    ? unknownCredential(id)
    : explained
}

function unknownCredential(id: string) {
  return err(`There is no credential ${JSON.stringify(id)}.`)
}
