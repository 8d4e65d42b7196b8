/** Decides a revocation by an app, an account holder or an administrator: CRED-3. */
import type { UserId } from "../../kernel/ids.ts"
import type { Change } from "../../model/change.rules.ts"
import { asOf, type Credential, familyOf, type RevokedBecause } from "../../model/credential.rules.ts"
import { decideCredential } from "./credential-table.rules.ts"
import { readOpenidFacts } from "../../model/openid-facts.rules.ts"
import { event } from "../../model/event.rules.ts"

/** If the credential has already ended, the changes only store its expiry. */
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
    ...(isForGood.has(because) ? [...rememberedOf(credential), ...blockOf(credential, now)] : []),
  ]
}

/** The app's own revocation and a sign-out leave a remembered consent, and what an organization gives. OIDC-17, ORG-9. */
const isForGood: ReadonlySet<RevokedBecause> = new Set(["account-holder", "administrator"])

function rememberedOf({ consent: { openid, userId } }: Credential): readonly Change[] {
  const id = openid === null ? undefined : readOpenidFacts(openid).remembered
  return id === undefined ? [] : [{ change: "rememberedEnded", id, userId }]
}

/** The organization may connect the app again only when the account holder allows it. */
function blockOf(
  { consent: { organization, userId, clientId } }: Credential,
  now: number,
): readonly Change[] {
  if (organization === undefined) return []
  return [
    {
      change: "organizationBlocked",
      block: { userId, clientId, provider: organization, blockedAt: now },
    },
  ]
}
