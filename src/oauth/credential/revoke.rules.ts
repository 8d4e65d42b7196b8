/** Revocation by an app: RFC 7009; interface REV-*, CRED-3. */
import { type Decided, decided } from "../../model/change.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { type Credential, isOfServiceAccount } from "../../model/credential.rules.ts"
import type { ImportedToken } from "../../model/moved/import.rules.ts"
import type { ServiceToken } from "../../model/service-token.rules.ts"
import { belongsTo, type FullToken } from "./presented-token.rules.ts"
import { revokeCredential } from "./revoke-credential.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"

export type Revocation = {
  readonly client: Client
  readonly credential: Credential | null
  readonly token: FullToken | null
  /** The stored access token. The value is null unless the token belongs to a service account. */
  readonly serviceToken: ServiceToken | null
  readonly now: number
  readonly address: string
}

/**
 * Decides a revocation by an app. An unknown token gets the same response as an ended token. Divergence: D-11, revoking
 * an access token or a refresh token ends the whole credential. Revoking an access token of a service account ends only
 * that token. Divergence: D-12, a token of another app gets the response of a failed authentication. Refuses:
 * tokenOfAnotherClient.
 */
export function decideRevocation({
  client,
  credential,
  token,
  serviceToken,
  now,
  address,
}: Revocation): Decided<Result<null, Refusal>> {
  if (credential === null || token === null || !belongsTo(credential, token, now)) return decided(ok(null))
  const { clientId, tokenId } = credential.consent
  if (clientId !== client.clientId) return decided(err({ reason: "tokenOfAnotherClient", tokenId }))
  if (isOfServiceAccount(credential.consent))
    return serviceToken === null
      ? decided(ok(null))
      : decided(ok(null), { change: "serviceTokenEnded", token: serviceToken, because: "revoked" })
  return decided(ok(null), ...revokeCredential(credential, "app", now, address))
}

/** Ends the token of another service before its exchange. Refuses: tokenOfAnotherClient. MOVE-7. */
export function decideImportedRevocation(
  client: Client,
  { clientId, tokenId, hash, usedAt }: ImportedToken,
  now: number,
): Decided<Result<null, Refusal>> {
  if (clientId !== client.clientId) return decided(err({ reason: "tokenOfAnotherClient", tokenId }))
  return usedAt === null
    ? decided(ok(null), { change: "importedTokenUsed", hash, at: now })
    : decided(ok(null))
}
