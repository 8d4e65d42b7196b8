/** Decides a revocation by an app, an account holder or an administrator: CRED-3. */
import type { UserId } from "../../kernel/ids.ts"
import { type Change, eventRecorded } from "../../model/change.rules.ts"
import {
  areTokensEnded,
  asOf,
  type Credential,
  familyOf,
  type Life,
  type RevokedBecause,
} from "../../model/credential.rules.ts"
import { decideCredential } from "./credential-table.rules.ts"
import { withoutTokens } from "./family.rules.ts"
import { persistObservedExpiry } from "./observed-expiry.rules.ts"
import { readOpenidFacts } from "../../model/openid-facts.rules.ts"

/**
 * If the credential has already ended, the changes store its expiry. The word of the account holder or an administrator
 * counts then too, once: it ends what would give the app another credential.
 */
export function revokeCredential(
  credential: Credential,
  because: RevokedBecause,
  now: number,
  address: string | null,
  actorId: UserId | null = null,
): readonly Change[] {
  const seen = asOf(credential, now)
  const { userId, clientId, tokenId, organization } = credential.consent
  const facts = { userId, clientId, tokenId, actorId, address, detail: because }
  const revoked: Change = eventRecorded("credential-revoked", now, facts)
  if (because === "app" && organization !== undefined && seen.life.state === "active") {
    const left = withoutItsTokens(seen, seen.life, now)
    return left === null ? [] : [{ change: "credentialChanged", credential: left }, revoked]
  }
  const wasForGood = seen.life.state === "revoked" && isForGood.has(seen.life.because)
  const forGood =
    isForGood.has(because) && !wasForGood ? [...rememberedOf(credential), ...blockOf(credential, now)] : []
  const decision = decideCredential(seen, { event: "revoked", because })
  if (decision.decision !== "revoke")
    return [...persistObservedExpiry(credential, seen), ...(forGood.length > 0 ? [revoked, ...forGood] : [])]
  const life = { state: "revoked", family: familyOf(credential), revokedAt: now, because } as const
  return [{ change: "credentialChanged", credential: { ...credential, life } }, revoked, ...forGood]
}

/** The app's own revocation and a sign-out leave a remembered consent, and what an organization gives. OIDC-17, ORG-9. */
const isForGood: ReadonlySet<RevokedBecause> = new Set(["account-holder", "administrator"])

/** The account page still shows what the organization gives, so that its holder can end it. Null if all tokens have ended. */
function withoutItsTokens(
  credential: Credential,
  life: Extract<Life, { state: "active" }>,
  now: number,
): Credential | null {
  const { family } = life
  if (areTokensEnded(credential, family.rotatedAt) && family.accessTokens.length === 0) return null
  const ended = { ...withoutTokens(family, now), rotatedAt: now }
  return { ...credential, life: { ...life, family: ended, elevatedUntil: null } }
}

function rememberedOf({ consent: { openid, userId } }: Credential): readonly Change[] {
  const id = openid === null ? undefined : readOpenidFacts(openid).remembered
  return id === undefined ? [] : [{ change: "rememberedEnded", id, userId }]
}

/** The organization may connect the app again only when the account holder allows it. */
function blockOf({ consent }: Credential, now: number): readonly Change[] {
  const { organization: provider, userId, clientId } = consent
  if (provider === undefined) return []
  return [{ change: "organizationBlocked", block: { userId, clientId, provider, blockedAt: now } }]
}
