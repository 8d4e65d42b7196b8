/**
 * Finds the device grant of a typed code: interface DPAGE-*; RFC 8628 §3.3, §5.1, §5.4. Only a signed-in account can
 * look up a code. The lookup writes nothing, except an expiry that it reports.
 */
import type { GrantId, UserId } from "../../kernel/ids.ts"
import { decided } from "../../model/change.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import type { DeviceGrant } from "../../model/device-grant.rules.ts"
import { deviceAsOf } from "../../model/device-grant.rules.ts"
import { isSwitchedOff, persistObservedDeviceExpiry } from "./device-poll.rules.ts"
import { USER_CODE_TRIES } from "../../kernel/limits.ts"
import { type Grantable, grantableBy } from "../authorize/consent.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { registeredAndConsented } from "../../model/permissions/reach.rules.ts"
import { resolveStoredDocument, type ResolvedDocument } from "../clients/resolve-document.ts"
import { readClient } from "../clients/resolve.ts"
import { ok } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { parseUserCode } from "./user-code.rules.ts"
import { userCodeHash } from "./device-codes.ts"
import { checkCounted } from "../../platform/services/counted-attempt.ts"
import type { Services } from "../../platform/services/services.ts"
import type { SignedIn } from "../../accounts/sessions/session.ts"

export type FoundGrant = {
  readonly outcome: "found"
  readonly grant: DeviceGrant
  readonly client: Client
  /** The value is null if the client_id is not the URL of a document, and for a step-up. */
  readonly document: ResolvedDocument | null
  readonly letters: string
}

type LookUp =
  | FoundGrant
  /** "none" stands for unknown, expired and answered codes, so that the page does not reveal which codes exist. */
  | { readonly outcome: "none" }
  /** The document of the client is not allowed, or could not be checked. */
  | { readonly outcome: "refused"; readonly refusal: Refusal }
  | { readonly outcome: "wait"; readonly seconds: number }

/** Finds the pending grant of a code. A wrong code counts against the rate limits of the account and the address. */
export async function lookUpUserCode(
  services: Pick<Services, "store" | "clock" | "guesses" | "catalog" | "settings" | "outgoing" | "log">,
  typed: string,
  { account }: SignedIn,
  addressKey: string,
): Promise<LookUp> {
  const wait = await services.guesses.spendAll([
    { key: `user code account:${account.userId}`, limit: USER_CODE_TRIES.account },
    { key: `user code address:${addressKey}`, limit: USER_CODE_TRIES.address },
  ])
  if (!wait.admitted) return { outcome: "wait", seconds: wait.retryAfterSeconds }
  const pending = await checkCounted(wait, () => findPending(services, typed, account.userId))
  if (pending === null) return { outcome: "none" }
  await wait.giveBack()
  const { grant, client, letters } = pending
  const isAccess = grant.request.purpose.purpose === "access"
  const requester = { cause: "account", account: account.userId } as const
  const document = isAccess ? await resolveStoredDocument(services, client.clientId, requester) : ok(null)
  if (!document.ok) return { outcome: "refused", refusal: document.error }
  return {
    outcome: "found",
    grant,
    client: document.value?.client ?? client,
    document: document.value,
    letters,
  }
}

async function findPending(
  services: Pick<Services, "store" | "clock" | "settings" | "catalog">,
  typed: string,
  userId: UserId,
): Promise<Pick<FoundGrant, "grant" | "client" | "letters"> | null> {
  const { store, clock } = services
  const letters = parseUserCode(typed)
  if (letters === null) return null
  const { deviceGrantByCode: grant } = await store.read({ deviceGrantByCode: userCodeHash(letters) })
  if (grant === null) return null
  const now = clock.now()
  const seen = deviceAsOf(grant, now)
  if (seen !== grant) await persistExpiry(store, grant.request.grantId, now)
  if (seen.answer.state !== "pending") return null
  const client = await readClient(services, grant.request.clientId)
  return client === null || !isFor(grant, client, userId) ? null : { grant, client, letters }
}

/** The page has reported the expiry. Setting the clock back must not revive the code. */
function persistExpiry(store: Services["store"], grantId: GrantId, now: number): Promise<void> {
  return store.change({ deviceGrant: grantId }, ({ deviceGrant }) =>
    decided(
      undefined,
      ...(deviceGrant === null ? [] : persistObservedDeviceExpiry(deviceGrant, deviceAsOf(deviceGrant, now))),
    ),
  )
}

/**
 * Whether this account can answer the grant. Any account can answer a request for access, as long as the app is enabled
 * and may use the device flow. Only the account of the credential can answer a step-up. `stepUpBlocker` checks the app.
 */
function isFor(grant: DeviceGrant, client: Client, userId: UserId): boolean {
  const { purpose } = grant.request
  return purpose.purpose === "access"
    ? client.enabled && !isSwitchedOff(client, grant)
    : purpose.userId === userId
}

/** Returns what a device asks of an account. Permissions that are no longer in the app's registration are left out. */
export function questionOf(
  catalog: Catalog,
  { grant, client }: Pick<FoundGrant, "grant" | "client">,
  { account }: SignedIn,
): Grantable {
  const { purpose } = grant.request
  const requested =
    purpose.purpose === "access" ? registeredAndConsented(catalog, purpose.asked, client.ceiling) : []
  return grantableBy(catalog, client, account, requested)
}
