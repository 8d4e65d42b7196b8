/**
 * Reads credentials as of now, for lists and records. If they are the first to report that a credential has expired, the
 * expiry is stored, as `asOf` demands. docs/interface.md, "Clock".
 */
import { decided } from "../../model/change.rules.ts"
import { asOf, type Credential } from "../../model/credential.rules.ts"
import type { HeldCredential, Page } from "../../store/list-shapes.ts"
import type { Store } from "../../store/store.ts"
import type { Services } from "./services.ts"

type Needs = Pick<Services, "store" | "clock">

/** Concurrent changes share one write to the disk. This is the largest number of concurrent changes. */
const TOGETHER = 100

/** Reads a page of a list. Each credential on it is written at most once, because its end is then stored. */
export async function credentialsAsOfNow(
  { store, clock }: Needs,
  filter: Parameters<Store["credentials"]>[0],
  page: Page,
): Promise<readonly HeldCredential[]> {
  const held = await store.credentials(filter, page)
  const now = clock.now()
  const seen: HeldCredential[] = []
  for (let at = 0; at < held.length; at += TOGETHER) {
    const some = held.slice(at, at + TOGETHER).map(async (one) => {
      return { ...one, credential: await observe(store, one.credential, now) }
    })
    seen.push(...(await Promise.all(some)))
  }
  return seen
}

/** Returns the credential as of `now`. Writes nothing unless it has expired and the row does not say so. */
export async function observe(store: Store, credential: Credential, now: number): Promise<Credential> {
  if (asOf(credential, now) === credential) return credential
  return store.change({ credential: credential.consent.tokenId }, ({ credential: stored }) => {
    const seen = asOf(stored ?? credential, now)
    const isStored = stored === null || stored === seen
    return isStored ? decided(seen) : decided(seen, { change: "credentialChanged", credential: seen })
  })
}
