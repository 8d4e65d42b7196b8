/** Adds an id_token to a token response that reaches `openid`. OpenID Connect Core §2, §3.1.3.6; interface OIDC-2. */
import { createHash } from "node:crypto"
import { SignJWT } from "jose"
import { ID_TOKEN_SECONDS } from "../../kernel/limits.ts"
import type { TokenId, UserId } from "../../kernel/ids.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { readOpenidFacts } from "../../model/openid-facts.rules.ts"
import { isOpenidPermission, OPENID } from "../../model/permissions/openid-permissions.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import type { TokenResponse } from "../credential/token-response.rules.ts"
import { signingKeysOf } from "../keys/signing-keys.ts"
import { claimsOf } from "./claims.rules.ts"

type Needs = Pick<Services, "catalog" | "store" | "clock" | "keys" | "log" | "issuer">

/**
 * `isFirst` is true for the response to a code, whose id_token has the nonce of the request. `groups` are those in a JWT
 * access token. They and the username may have changed since, and a response says the same in each of its parts.
 */
export async function withIdToken(
  services: Needs,
  response: TokenResponse,
  isFirst: boolean,
  groups?: readonly string[],
): Promise<TokenResponse & { readonly id_token?: string }> {
  const reached = response.scope.split(" ")
  // A permission of the operator may have this name while OpenID Connect is off.
  if (!reached.includes(OPENID) || !isOpenidPermission(services.catalog, OPENID)) return response
  const { store } = services
  const { credential, appOf, account, email } = await store.read({
    credential: response.token_id as TokenId,
    appOf: response.token_id as TokenId,
    account: response.user_id as UserId,
    email: response.user_id as UserId,
  })
  // A credential from before OpenID Connect was on knows nothing about a sign-in.
  const facts = credential?.consent.openid
  if (credential === null || appOf === null || account === null || facts === null || facts === undefined)
    return response
  return {
    ...response,
    id_token: await idToken(
      services,
      { facts, client: appOf, response, isFirst },
      claimsOf(reached, { ...account, username: response.username, groups: groups ?? account.groups }, email),
    ),
  }
}

type Signed = {
  readonly facts: string
  readonly client: Client
  readonly response: TokenResponse
  readonly isFirst: boolean
}

async function idToken(
  services: Needs,
  { facts: stored, client: { clientId, idTokenAlgorithm }, response, isFirst }: Signed,
  claims: ReturnType<typeof claimsOf>,
): Promise<string> {
  const { nonce, authTime, amr, acr, sid } = readOpenidFacts(stored)
  const { kid, key, algorithm } = await signingKeysOf(services).signer(idTokenAlgorithm)
  const now = services.clock.now()
  return new SignJWT({
    ...claims,
    azp: clientId,
    // Zero stands for a provider that did not say when.
    ...(authTime > 0 && { auth_time: authTime }),
    acr,
    ...(amr.length > 0 && { amr }),
    ...(sid !== null && { sid }),
    ...(isFirst && nonce !== null && { nonce }),
    at_hash: leftHalf(response.access_token),
  })
    .setProtectedHeader({ alg: algorithm, kid, typ: "JWT" })
    .setIssuer(services.issuer)
    .setAudience(clientId)
    .setIssuedAt(now)
    .setExpirationTime(now + ID_TOKEN_SECONDS)
    .sign(key)
}

/** The left half of the SHA-256 of an access token. OpenID Connect Core §3.1.3.6. */
function leftHalf(accessToken: string): string {
  return createHash("sha256").update(accessToken).digest().subarray(0, 16).toString("base64url")
}
