/** MOVE-7. A token of another service becomes the first generation of a new credential, and is rotated as any other. */
import { type Change, type Decided, eventRecorded } from "../../../model/change.rules.ts"
import { type Credential, type Family, NO_REPEATS } from "../../../model/credential.rules.ts"
import type { ImportedToken } from "../../../model/moved/import.rules.ts"
import { CREDENTIAL_SECONDS } from "../../../kernel/limits.ts"
import type { Result } from "../../../kernel/result.ts"
import type { Refusal } from "../../../model/refusals/refusal.rules.ts"
import type { Refreshed } from "./refresh.rules.ts"

/** Returns the credential as if this service had issued the token. `familyKey` is a new random key. */
export function importedCredential(
  { tokenId, clientId, userId, scope, endsAt, hash }: ImportedToken,
  familyKey: string,
  now: number,
): Credential {
  const consentedAt = endsAt - CREDENTIAL_SECONDS
  const family: Family = {
    generation: 1,
    currentHash: hash,
    retired: null,
    retirements: [],
    key: familyKey,
    rotatedAt: now,
    rotatedFrom: null,
    accessTokens: [],
    repeats: NO_REPEATS,
  }
  return {
    consent: {
      tokenId,
      clientId,
      userId,
      installationName: null,
      scope,
      resources: [],
      consentedAt,
      endsAt,
      openid: null,
    },
    code: null,
    life: { state: "active", family, elevatedUntil: null },
  }
}

/**
 * Stores the new credential and closes the row of the token. A token that was reported as ended is closed too, so that
 * setting the clock back does not revive it. Any other refusal stores nothing, so the token still works.
 */
export function decideExchangeOfImported(
  { hash, tokenId, clientId, userId }: ImportedToken,
  { answer, changes }: Decided<Result<Refreshed, Refusal>>,
  now: number,
  address: string,
): Decided<Result<Refreshed, Refusal>> {
  const used: Change = { change: "importedTokenUsed", hash, at: now }
  if (!answer.ok) return { answer, changes: answer.error.reason === "credentialEnded" ? [used] : [] }
  return {
    answer,
    changes: [
      ...changes.map((change): Change =>
        change.change === "credentialChanged"
          ? { change: "credentialAdded", credential: change.credential }
          : change,
      ),
      used,
      eventRecorded("imported-token-exchanged", now, { userId, clientId, tokenId, address }),
    ],
  }
}
