/** Checks the access token of a request to a protected resource. RFC 6750 §2.1. */
import { type Bearer, type BearerFacts, decideBearer } from "./bearer.rules.ts"
import type { TokenId } from "../../kernel/ids.ts"
import { isOfServiceAccount } from "../../model/credential.rules.ts"
import type { ServiceToken } from "../../model/service-token.rules.ts"
import { type Result, err } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import type { Found } from "../../store/loadable.ts"
import { type PresentedToken, readAccessToken } from "./token.ts"
import type { Services } from "../../platform/services/services.ts"

/** Reads without a lock. Writes only if it reports an expiry for the first time. Refuses: accessTokenInvalid. */
export async function checkBearer(
  services: Pick<Services, "store" | "clock" | "catalog">,
  text: string,
): Promise<Result<Bearer, Refusal>> {
  const token = readAccessToken(text)
  if (token === null) return err({ reason: "accessTokenInvalid" })
  const now = services.clock.now()
  return judgeBearer(services, token, await services.store.read(bearerLoad(token.tokenId)), now)
}

/** The rows that the check reads: the credential with its tokens, its app and its account. */
export function bearerLoad(tokenId: TokenId | null) {
  return { tokensOf: tokenId, appOf: tokenId, ownerOf: tokenId } as const
}

type Rows = Found<ReturnType<typeof bearerLoad>>

/**
 * Checks an access token against rows that were read before. The access token of a service account needs one more read,
 * because it has its own row. Refuses: accessTokenInvalid.
 */
export function judgeBearer(
  services: Pick<Services, "store" | "catalog">,
  token: PresentedToken,
  found: Rows,
  now: number,
): Result<Bearer, Refusal> | Promise<Result<Bearer, Refusal>> {
  return found.tokensOf !== null && isOfServiceAccount(found.tokensOf.consent)
    ? judgeServiceToken(services, token, found, now)
    : judge(services, token, found, null, now)
}

async function judgeServiceToken(
  services: Pick<Services, "store" | "catalog">,
  token: PresentedToken,
  found: Rows,
  now: number,
): Promise<Result<Bearer, Refusal>> {
  const { serviceToken } = await services.store.read({ serviceToken: token.hash })
  return judge(services, token, found, serviceToken, now)
}

function judge(
  { store, catalog }: Pick<Services, "store" | "catalog">,
  { tokenId, hash }: PresentedToken,
  found: Rows,
  serviceToken: ServiceToken | null,
  now: number,
): Result<Bearer, Refusal> | Promise<Result<Bearer, Refusal>> {
  const seen = decideBearer(catalog, factsOf(found, hash, serviceToken), now)
  if (seen.changes.length === 0) return seen.answer
  const load = {
    credential: tokenId,
    appOf: tokenId,
    ownerOf: tokenId,
    serviceToken: serviceToken?.hash ?? null,
  }
  return store.change(load, ({ credential, serviceToken: present, ...of }) =>
    decideBearer(catalog, factsOf({ tokensOf: credential, ...of }, hash, present), now),
  )
}

function factsOf(
  { tokensOf, appOf, ownerOf }: Rows,
  hash: BearerFacts["hash"],
  serviceToken: ServiceToken | null,
): BearerFacts {
  return { credential: tokensOf, client: appOf, account: ownerOf, hash, serviceToken }
}
