/** The check of every protected address: what this access token reaches now. RFC 6750 §2.1. */
import { type Bearer, type BearerFacts, decideBearer } from "./bearer.rules.ts"
import type { TokenId } from "../../kernel/ids.ts"
import { type Result, err } from "../../kernel/result.ts"
import type { Refusal } from "../refusal.rules.ts"
import type { Found } from "../../store/store.ts"
import { type PresentedToken, readAccessToken } from "./token.ts"
import type { Services } from "../../services/services.ts"

/** Reads without a lock. Writes only an end that is reported for the first time. Refuses: accessTokenInvalid. */
export async function checkBearer(
  services: Pick<Services, "store" | "clock" | "catalogue">,
  text: string,
): Promise<Result<Bearer, Refusal>> {
  const token = readAccessToken(text)
  if (token === null) return err({ reason: "accessTokenInvalid" })
  const now = services.clock.now()
  return judgeBearer(services, token, await services.store.read(bearerLoad(token.tokenId)), now)
}

/** The rows of a check: the tokens of the credential, its app and its account. */
export function bearerLoad(tokenId: TokenId | null) {
  return { tokensOf: tokenId, appOf: tokenId, ownerOf: tokenId } as const
}

/** Checks the rows that were read at `now`. Refuses: accessTokenInvalid. */
export function judgeBearer(
  { store, catalogue }: Pick<Services, "store" | "catalogue">,
  { tokenId, hash }: PresentedToken,
  found: Found<ReturnType<typeof bearerLoad>>,
  now: number,
): Result<Bearer, Refusal> | Promise<Result<Bearer, Refusal>> {
  const seen = decideBearer(catalogue, factsOf(found, hash), now)
  if (seen.changes.length === 0) return seen.answer
  return store.change({ credential: tokenId, appOf: tokenId, ownerOf: tokenId }, ({ credential, ...of }) =>
    decideBearer(catalogue, factsOf({ tokensOf: credential, ...of }, hash), now),
  )
}

/** The client and the account are read by the ids in the row of the credential. */
function factsOf(
  { tokensOf, appOf, ownerOf }: Found<ReturnType<typeof bearerLoad>>,
  hash: BearerFacts["hash"],
): BearerFacts {
  return { credential: tokensOf, client: appOf, account: ownerOf, hash }
}
