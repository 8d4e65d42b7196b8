/** Revocation: RFC 7009; interface REV-*, CRED-3. */
import type { UserId } from "../../kernel/ids.ts"
import { type Change, type Decided, decided } from "../../records/change.rules.ts"
import type { Client } from "../../records/client.rules.ts"
import { asOf, type Credential, familyOf, type RevokedBecause } from "../../records/credential.rules.ts"
import { decideCredential } from "./credential-table.rules.ts"
import { event } from "../../records/event.rules.ts"
import { belongsTo, type FullToken } from "./presented-token.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Refusal } from "../refusal.rules.ts"

export type Revocation = {
  readonly client: Client
  readonly credential: Credential | null
  readonly token: FullToken | null
  readonly now: number
  readonly address: string
}

/**
 * An app revokes with a complete token. An unknown token gets the same answer as one that has ended.
 * Divergence: D-11, either kind of token ends the whole credential.
 * Divergence: D-12, a token of another app is answered as failed authentication.
 * Refuses: tokenOfAnotherClient.
 */
export function decideRevocation({
  client,
  credential,
  token,
  now,
  address,
}: Revocation): Decided<Result<null, Refusal>> {
  if (credential === null || token === null || !belongsTo(credential, token, now)) return decided(ok(null))
  const { clientId, tokenId } = credential.consent
  if (clientId !== client.clientId) return decided(err({ reason: "tokenOfAnotherClient", tokenId }))
  return decided(ok(null), ...revokeCredential(credential, "app", now, address))
}

/** The writes that revoke a credential; nothing if it has ended. */
export function revokeCredential(
  credential: Credential,
  because: RevokedBecause,
  now: number,
  address: string | null,
  actorId: UserId | null = null,
): readonly Change[] {
  const seen = asOf(credential, now)
  const decision = decideCredential(seen, { event: "revoked", because })
  if (decision.decision !== "revoke")
    return seen === credential ? [] : [{ change: "credentialChanged", credential: seen }]
  const { userId, clientId, tokenId } = credential.consent
  const family = familyOf(credential)
  return [
    {
      change: "credentialChanged",
      credential: { ...credential, life: { state: "revoked", family, revokedAt: now, because } },
    },
    {
      change: "eventRecorded",
      event: event("credential-revoked", now, {
        userId,
        clientId,
        tokenId,
        actorId,
        address,
        detail: because,
      }),
    },
  ]
}
