/** An administrator can ask about any credential, and an account holder about their own. */
import type { Account } from "../../model/account.rules.ts"
import type { TokenId } from "../../kernel/ids.ts"
import { explanation, type Explanation } from "./explanation.rules.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { observe } from "../../platform/services/observed-expiry.ts"
import { keyList } from "../../store/loadable.ts"
import type { Services } from "../../platform/services/services.ts"

type Needs = Pick<Services, "store" | "clock" | "catalog" | "providers">

/** Explains any credential whose row still exists. Writes nothing, except an expiry that it is the first to report. */
export async function explain(
  { store, clock, catalog, providers }: Needs,
  id: string,
): Promise<Result<Explanation, Problem>> {
  const tokenId = isIdentifier(id) ? (id as TokenId) : null
  const {
    credential: stored,
    appOf,
    ownerOf,
    latestServiceTokens,
  } = await store.read({
    credential: tokenId,
    appOf: tokenId,
    ownerOf: tokenId,
    latestServiceTokens: tokenId,
  })
  if (stored === null) return unknownCredential(id)
  const now = clock.now()
  const credential = await observe(store, stored, now)
  const { sessionCredentials } = await store.read({
    sessionCredentials: keyList([credential.consent.tokenId]),
  })
  const endsWithSession = sessionCredentials?.length === 1
  const tokens = latestServiceTokens ?? []
  return ok(explanation(catalog, credential, appOf, ownerOf, now, providers, tokens, endsWithSession))
}

/** Explains a credential of this account. A credential of another account gets the response of an unknown id. */
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
