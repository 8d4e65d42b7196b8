/** The live credentials of an account, as its holder sees and ends them. CRED-3. */
import type { Account } from "../../records/account.rules.ts"
import type { ClientId, TokenId } from "../../kernel/ids.ts"
import type { Client } from "../../records/client.rules.ts"
import { asOf, type Credential, type Family } from "../../records/credential.rules.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import type { HeldCredential, Page } from "../../store/store.ts"
import { endOwnCredential } from "../../oauth/credential/management/credential.ts"
import type { Services } from "../../services/services.ts"
import { all } from "../../store/list.ts"
import type { HeldConsent } from "../../records/held-consent.rules.ts"

type Needs = Pick<Services, "store" | "clock">
type Holder = Pick<Account, "userId">

/** One copy of an app that is signed in. */
export type Installation = {
  readonly credential: Credential
  readonly family: Family
  readonly client: Client
}

export type Installations = {
  /** Newest first. */
  readonly rows: readonly Installation[]
  /** Where the next page begins; null on the last one. */
  readonly next: TokenId | null
}

/** A page of the installations of an account, of all apps or of one. */
export async function installationsOf(
  { store, clock }: Needs,
  { userId }: Holder,
  clientId: string | null,
  page: Pick<Page, "after" | "limit">,
): Promise<Installations> {
  const now = clock.now()
  const filter = { userId, live: now, ...(clientId !== null && { clientId: clientId as ClientId }) }
  const held = await store.credentials(filter, { ...page, limit: page.limit + 1, newestFirst: true })
  const shown = held.slice(0, page.limit)
  const next = held.length > page.limit ? (shown.at(-1)?.credential.consent.tokenId ?? null) : null
  return { rows: shown.flatMap((one) => installationOf(one, now)), next }
}

/** How many installations of each app an account has. */
export async function installationCounts(
  { store, clock }: Needs,
  { userId }: Holder,
): Promise<ReadonlyMap<ClientId, number>> {
  return countsByApp(await store.consentsOf({ userId }, clock.now()))
}

function countsByApp(consents: readonly HeldConsent[]): ReadonlyMap<ClientId, number> {
  const counts = new Map<ClientId, number>()
  for (const { clientId, credentials } of consents)
    counts.set(clientId, (counts.get(clientId) ?? 0) + credentials)
  return counts
}

/** An installation by its id; null if it is not of this account. */
export async function findInstallation(
  { store, clock }: Needs,
  { userId }: Holder,
  id: string,
): Promise<Installation | null> {
  const tokenId = isIdentifier(id) ? (id as TokenId) : null
  const found = await store.read({ credential: tokenId, appOf: tokenId, ownerOf: tokenId })
  if (found.credential?.consent.userId !== userId) return null
  const held = { credential: found.credential, client: found.appOf, account: found.ownerOf }
  return installationOf(held, clock.now())[0] ?? null
}

function installationOf({ credential, client }: HeldCredential, now: number): readonly Installation[] {
  const seen = asOf(credential, now)
  return client === null || seen.life.state !== "active"
    ? []
    : [{ credential: seen, family: seen.life.family, client }]
}

/** Revocations that run at the same time, so that they share a write to the disk. */
const TOGETHER = 100

/**
 * Ends every credential of an account, of one app or (null) of all, codes included that were not exchanged yet. Returns
 * their number. A second call changes nothing.
 */
export async function endOwnInstallations(
  services: Needs,
  account: Account,
  clientId: string | null,
  from: { readonly address: string },
): Promise<number> {
  const { store, clock } = services
  const filter = {
    userId: account.userId,
    ...(clientId !== null && { clientId: clientId as ClientId }),
  }
  const held = await all(
    (page) => store.credentials(filter, page),
    ({ credential }) => credential.consent.tokenId,
  )
  const now = clock.now()
  const alive = held.filter(({ credential }) => isAlive(asOf(credential, now)))
  for (let at = 0; at < alive.length; at += TOGETHER)
    await Promise.all(
      alive
        .slice(at, at + TOGETHER)
        .map(({ credential }) => endOwnCredential(services, account, credential.consent.tokenId, from)),
    )
  return alive.length
}

function isAlive({ life }: Credential): boolean {
  return life.state === "active" || life.state === "issued"
}
