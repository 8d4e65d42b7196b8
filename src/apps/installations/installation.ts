/** Lists and ends the live credentials of an account for its holder. CRED-3. */
import type { Standing } from "../../model/permissions/standing.rules.ts"
import type { Account } from "../../model/account.rules.ts"
import type { ClientId, TokenId } from "../../kernel/ids.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { asOf, type Credential, type Family, refreshEndsAt } from "../../model/credential.rules.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import { REPEAT_SHOWN_SECONDS } from "../../kernel/limits.ts"
import { isAdmin } from "../../model/permissions/permission.rules.ts"
import { reachOf } from "../../model/sign-in/organization.rules.ts"
import type { HeldCredential, Page } from "../../store/list-shapes.ts"
import { endOwnCredential } from "../../oauth/credential/credential.ts"
import { permissionTexts } from "../../platform/languages/local-text.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import type { Services } from "../../platform/services/services.ts"
import { all, rowKeys } from "../../store/list.ts"
import { keyList } from "../../store/loadable.ts"
import type { AccessView } from "./installation.view.ts"
import { endOwnRemembered } from "./remembered.ts"

type Needs = Pick<Services, "store" | "clock">
type Holder = Pick<Account, "userId">

/** A signed-in copy of an app. */
export type Installation = {
  /** Whether the credential ends with the sign-in session of its consent. */
  readonly endsWithSession: boolean
  readonly credential: Credential
  readonly family: Family
  readonly client: Client
}

export type Installations = {
  /** The installations are sorted, newest first. */
  readonly rows: readonly Installation[]
  /** The cursor of the next page. It is null on the last page. */
  readonly next: TokenId | null
}

/** Lists a page of an account's installations, of all apps or of one app. */
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
  const ids = keyList(shown.map(({ credential }) => credential.consent.tokenId))
  const { sessionCredentials } = await store.read({ sessionCredentials: ids })
  return { rows: shown.flatMap((one) => installationOf(one, now, sessionCredentials ?? [])), next }
}

/** Counts the installations of each app for an account. */
export async function installationCounts(
  { store, clock }: Needs,
  { userId }: Holder,
): Promise<ReadonlyMap<ClientId, number>> {
  const counts = new Map<ClientId, number>()
  for (const { clientId, credentials } of await store.consentsOf({ userId }, clock.now()))
    counts.set(clientId, (counts.get(clientId) ?? 0) + credentials)
  return counts
}

/** Finds an installation of the account by id. Returns null for another account's installation. */
export async function findInstallation(
  { store, clock }: Needs,
  { userId }: Holder,
  id: string,
): Promise<Installation | null> {
  const tokenId = isIdentifier(id) ? (id as TokenId) : null
  const found = await store.read({
    credential: tokenId,
    appOf: tokenId,
    ownerOf: tokenId,
    sessionCredentials: keyList(tokenId === null ? [] : [tokenId]),
  })
  if (found.credential?.consent.userId !== userId) return null
  const held = { credential: found.credential, client: found.appOf, account: found.ownerOf }
  return installationOf(held, clock.now(), found.sessionCredentials ?? [])[0] ?? null
}

function installationOf(
  { credential, client }: HeldCredential,
  now: number,
  sessionCredentials: readonly TokenId[],
): readonly Installation[] {
  const seen = asOf(credential, now)
  return client === null || seen.life.state !== "active"
    ? []
    : [
        {
          credential: seen,
          family: seen.life.family,
          client,
          endsWithSession: sessionCredentials.includes(seen.consent.tokenId),
        },
      ]
}

/** Concurrent revocations share one write to the disk. This is the largest number of concurrent revocations. */
const TOGETHER = 100

/**
 * Ends the account's credentials for one app, or for all apps if the app is null. Also ends codes that were not
 * exchanged. Returns the number of ended credentials. A second call changes nothing.
 */
export async function endOwnInstallations(
  services: Needs,
  account: Account,
  clientId: string | null,
  from: { readonly address: string },
): Promise<number> {
  const { store, clock } = services
  // First, so that no app gets another code meanwhile.
  await endOwnRemembered(services, account, clientId, from)
  const filter = {
    userId: account.userId,
    ...(clientId !== null && { clientId: clientId as ClientId }),
  }
  const held = await all((page) => store.credentials(filter, page), rowKeys.credentials)
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

/** Builds the view of an installation of the account. */
export function accessView(
  services: Pick<Services, "catalog" | "clock" | "settings" | "providers">,
  texts: Texts,
  { credential: { consent }, family, client, endsWithSession }: Installation,
  account: Standing,
): AccessView {
  const { catalog, providers } = services
  const reached = client.enabled ? reachOf(catalog, providers, consent, client, account) : []
  const { organization } = consent
  const endsAt = refreshEndsAt(consent, family)
  return {
    tokenId: consent.tokenId,
    installationName: consent.installationName,
    ...(organization !== undefined && {
      organization: providers.get(organization)?.label ?? organization,
    }),
    permissions: reached.map((name) => ({
      title: permissionTexts(services, texts, name).title,
      admin: isAdmin(name),
    })),
    consentedAt: consent.consentedAt,
    usedAt: family.rotatedAt,
    usedFrom: family.rotatedFrom,
    elsewhere: elsewhereLately(family, services.clock.now()),
    endsAt,
    isIdleEnd: endsAt < consent.endsAt,
    endsWithSession,
  }
}

function elsewhereLately({ repeats }: Family, now: number): AccessView["elsewhere"] {
  const [last] = repeats.elsewhere
  return last !== undefined && now - last.at < REPEAT_SHOWN_SECONDS ? last : null
}
