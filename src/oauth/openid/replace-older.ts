/** Ends what a new credential of a remembered consent replaces, so that a year of sign-ins leaves a few. OIDC-18. */
import { REMEMBERED_CREDENTIALS_KEPT } from "../../kernel/limits.ts"
import { decided } from "../../model/change.rules.ts"
import type { Consent } from "../../model/credential.rules.ts"
import { readOpenidFacts } from "../../model/openid-facts.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import { revokeCredential } from "../credential/revoke-credential.rules.ts"

/** What comes after these is of other sessions, or was replaced before. */
const READ_AT_MOST = 100

export async function replaceOlder(
  { store, clock }: Pick<Services, "store" | "clock">,
  consent: Consent,
): Promise<void> {
  const place = placeOf(consent)
  if (place === null) return
  const now = clock.now()
  const filter = { userId: consent.userId, clientId: consent.clientId, live: now }
  const held = await store.credentials(filter, { limit: READ_AT_MOST, newestFirst: true })
  const alike = held.filter(({ credential }) => placeOf(credential.consent) === place)
  for (const { credential: older } of alike.slice(REMEMBERED_CREDENTIALS_KEPT))
    await store.change({ credential: older.consent.tokenId }, ({ credential }) =>
      decided(null, ...(credential === null ? [] : revokeCredential(credential, "replaced", now, null))),
    )
}

/** Returns browser session and label as one text. Returns null for other credentials. */
function placeOf({ openid, installationName }: Consent): string | null {
  const { remembered, sid } = openid === null ? {} : readOpenidFacts(openid)
  return remembered === undefined ? null : JSON.stringify([sid, installationName])
}
