/** Checks the access token of a request to a protected resource. RFC 6750 §2.1. */
import { type Bearer, type BearerFacts, decideBearer } from "./bearer.rules.ts"
import { type AccessToken, isOfServiceAccount } from "../../model/credential.rules.ts"
import type { ServiceToken } from "../../model/service-token.rules.ts"
import { type Result, err } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import type { Found } from "../../store/loadable.ts"
import type { ClientId } from "../../kernel/ids.ts"
import { isJwt } from "../jwt/compact-form.ts"
import { type JwtNeeds, type PresentedJwt, presentedJwt } from "../jwt/access-token.ts"
import { type PresentedAccess, type PresentedToken, readAccessToken } from "./token.ts"
import type { Services } from "../../platform/services/services.ts"

/** Reads without a lock. Writes only if it reports an expiry for the first time. Refuses: accessTokenInvalid. */
export async function checkBearer(
  services: JwtNeeds & Pick<Services, "catalog" | "providers">,
  text: string,
): Promise<Result<Bearer, Refusal>> {
  const read = readBearer(services, text)
  const token = read instanceof Promise ? await read : read
  if (token === null) return err({ reason: "accessTokenInvalid" })
  const now = services.clock.now()
  return judgeBearer(services, token, await services.store.read(bearerLoad(token)), now)
}

/** An access token of either form. */
export type PresentedBearer = PresentedAccess | PresentedJwt

/** Reads an access token. Returns null if it has neither form. Only a JWT needs the keys of the service. */
export function readBearer(
  services: JwtNeeds,
  text: string,
): PresentedAccess | null | Promise<PresentedJwt | null> {
  return isJwt(text) ? presentedJwt(services, text) : readAccessToken(text)
}

/** `jwt` is what a JWT says, and is missing for an opaque token, which its rows prove. */
type VerifiedBearer = PresentedToken & { readonly jwt?: AccessToken }

/** Verifies the signature of a JWT. Returns null if it is wrong. */
export function verifiedBearer(token: PresentedBearer): VerifiedBearer | null {
  if (!("verified" in token)) return token
  const jwt = token.verified()
  return jwt === null ? null : { tokenId: token.tokenId, hash: token.hash, jwt }
}

/**
 * The rows that the check reads: the credential with its tokens, its app, its account and, for a JWT, the keys. `client`
 * is the caller if it is another app.
 */
export function bearerLoad(token: PresentedBearer | null, client: ClientId | null = null) {
  const tokenId = token?.tokenId ?? null
  const signingKeys = token !== null && "verified" in token ? true : null
  return { client, tokensOf: tokenId, appOf: tokenId, ownerOf: tokenId, signingKeys } as const
}

type Rows = Found<ReturnType<typeof bearerLoad>>

/** The keys of the process may be older than the event that tells resource servers to ask again. */
function isWithdrawn(token: PresentedBearer, { signingKeys }: Rows): boolean {
  if (!("verified" in token)) return false
  return signingKeys?.some(({ kid, state }) => kid === token.kid && state === "withdrawn") === true
}

/**
 * Checks an access token against rows that were read before. The access token of a service account needs one more read,
 * because it has its own row. Refuses: accessTokenInvalid.
 */
export function judgeBearer(
  services: Pick<Services, "store" | "catalog" | "providers">,
  token: PresentedBearer,
  found: Rows,
  now: number,
): Result<Bearer, Refusal> | Promise<Result<Bearer, Refusal>> {
  const verified = verifiedBearer(token)
  if (verified === null || isWithdrawn(token, found)) return err({ reason: "accessTokenInvalid" })
  return found.tokensOf !== null && isOfServiceAccount(found.tokensOf.consent)
    ? judgeServiceToken(services, verified, found, now)
    : judge(services, verified, found, null, now)
}

async function judgeServiceToken(
  services: Pick<Services, "store" | "catalog" | "providers">,
  token: VerifiedBearer,
  found: Rows,
  now: number,
): Promise<Result<Bearer, Refusal>> {
  const { serviceToken } = await services.store.read({ serviceToken: token.hash })
  return judge(services, token, found, serviceToken, now)
}

function judge(
  { store, catalog, providers }: Pick<Services, "store" | "catalog" | "providers">,
  token: VerifiedBearer,
  found: Rows,
  serviceToken: ServiceToken | null,
  now: number,
): Result<Bearer, Refusal> | Promise<Result<Bearer, Refusal>> {
  const seen = decideBearer(catalog, { ...factsOf(found, token, serviceToken), providers }, now)
  if (seen.changes.length === 0) return seen.answer
  const { tokenId } = token
  const load = {
    credential: tokenId,
    appOf: tokenId,
    ownerOf: tokenId,
    serviceToken: serviceToken?.hash ?? null,
  }
  return store.change(load, ({ credential, serviceToken: present, ...of }) =>
    decideBearer(catalog, { ...factsOf({ tokensOf: credential, ...of }, token, present), providers }, now),
  )
}

function factsOf(
  { tokensOf, appOf, ownerOf }: Pick<Rows, "tokensOf" | "appOf" | "ownerOf">,
  { hash, jwt }: VerifiedBearer,
  serviceToken: ServiceToken | null,
): Omit<BearerFacts, "providers"> {
  return { credential: tokensOf, client: appOf, account: ownerOf, hash, serviceToken, jwt: jwt ?? null }
}
