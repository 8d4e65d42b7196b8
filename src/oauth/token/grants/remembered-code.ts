/** What the exchange of a code does that came of a remembered consent. Interface OIDC-17, OIDC-18. */
import { REMEMBERED_CREDENTIALS_KEPT } from "../../../kernel/limits.ts"
import { decided } from "../../../model/change.rules.ts"
import type { Consent, Credential } from "../../../model/credential.rules.ts"
import { readOpenidFacts } from "../../../model/openid-facts.rules.ts"
import type { Services } from "../../../platform/services/services.ts"
import { isCoveredBy } from "../../authorize/remembered.rules.ts"
import { revokeCredential } from "../../credential/revoke-credential.rules.ts"

/** What comes after these is of other sessions, or was replaced before. */
const READ_AT_MOST = 100

type Needs = Pick<Services, "store" | "clock">

/** Returns whether the tokens may be sent. What the new credential replaces is then ended. */
export async function settleRemembered(services: Needs, exchanged: Credential): Promise<boolean> {
  const { openid } = exchanged.consent
  if (openid === null || readOpenidFacts(openid).remembered === undefined) return true
  if (!(await stillHolds(services, exchanged))) return false
  await replaceOlder(services, exchanged.consent)
  return true
}

/**
 * A code is not exchanged if its remembered consent has ended meanwhile. Then its credential is revoked. Returns whether
 * the consent holds.
 */
async function stillHolds({ store, clock }: Needs, { consent, code }: Credential): Promise<boolean> {
  const { tokenId, userId, consentedAt, openid } = consent
  const { remembered } = openid === null ? {} : readOpenidFacts(openid)
  if (remembered === undefined || remembered === tokenId || code === null) return true
  return store.change({ credential: tokenId, rememberedConsents: userId }, (found) => {
    const { credential, rememberedConsents } = found
    // A later click that allows as much may have replaced the consent.
    const holds = (rememberedConsents ?? []).some(
      (row) =>
        row.id === remembered ||
        (row.clickedAt >= consentedAt && isCoveredBy(row, consent, code.redirectUri)),
    )
    if (holds) return decided(true)
    if (credential === null) return decided(false)
    return decided(false, ...revokeCredential(credential, "account-holder", clock.now(), null))
  })
}

/** Ends what the new credential replaces, so that a year of sign-ins leaves a few. */
async function replaceOlder({ store, clock }: Needs, consent: Consent): Promise<void> {
  const place = placeOf(consent)
  if (place === null) return
  const now = clock.now()
  const filter = { userId: consent.userId, clientId: consent.clientId, live: now }
  const held = await store.credentials(filter, { limit: READ_AT_MOST, newestFirst: true })
  const others = held.filter(({ credential: { consent: of } }) => {
    return of.tokenId !== consent.tokenId && placeOf(of) === place
  })
  for (const { credential: older } of others.slice(REMEMBERED_CREDENTIALS_KEPT - 1))
    await store.change({ credential: older.consent.tokenId }, ({ credential }) =>
      decided(null, ...(credential === null ? [] : revokeCredential(credential, "replaced", now, null))),
    )
}

/** Returns browser session and label as one text. Returns null for other credentials. */
function placeOf({ openid, installationName }: Consent): string | null {
  const { remembered, sid } = openid === null ? {} : readOpenidFacts(openid)
  return remembered === undefined ? null : JSON.stringify([sid, installationName])
}
