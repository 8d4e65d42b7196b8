/**
 * What a person sees of a device grant: interface DPAGE-*; RFC 8628 §3.3, §5.1, §5.4. A code is looked up only for a
 * signed-in account. A lookup changes nothing, except that it stores an expiry that it reports.
 */
import type { GrantId, Permission, UserId } from "../../kernel/ids.ts"
import { decided } from "../../records/change.rules.ts"
import type { Client } from "../../records/client.rules.ts"
import type { DeviceGrant } from "../../records/device-grant.rules.ts"
import { deviceAsOf } from "../../records/device-grant.rules.ts"
import { persistObservedDeviceExpiry } from "./device-poll.rules.ts"
import { USER_CODE_TRIES } from "../../kernel/limits.ts"
import { grantableBy } from "../authorize/consent.rules.ts"
import type { Catalogue } from "../../permissions/permission-catalogue.rules.ts"
import { reach } from "../../permissions/reach.rules.ts"
import { readClient } from "../clients/resolve.ts"
import { parseUserCode } from "./user-code.rules.ts"
import { userCodeHash } from "./device-codes.ts"
import type { Services } from "../../services/services.ts"
import type { SignedIn } from "../../accounts/sessions/session.ts"

export type FoundGrant = {
  readonly outcome: "found"
  readonly grant: DeviceGrant
  readonly client: Client
  readonly letters: string
}

export type LookUp =
  | FoundGrant
  /** Unknown, expired and answered codes look the same. */
  | { readonly outcome: "none" }
  | { readonly outcome: "wait"; readonly seconds: number }

/** Finds the pending grant of a code. Wrong codes count against the account and the address. */
export async function lookUpUserCode(
  services: Pick<Services, "store" | "clock" | "guesses">,
  typed: string,
  { account }: SignedIn,
  addressKey: string,
): Promise<LookUp> {
  const { store, clock, guesses } = services
  const wait = await guesses.spendAll([
    { key: `user code account ${account.userId}`, limit: USER_CODE_TRIES.account },
    { key: `user code address ${addressKey}`, limit: USER_CODE_TRIES.address },
  ])
  if (!wait.admitted) return { outcome: "wait", seconds: wait.retryAfterSeconds }
  const letters = parseUserCode(typed)
  if (letters === null) return { outcome: "none" }
  const { deviceGrantByCode: grant } = await store.read({ deviceGrantByCode: userCodeHash(letters) })
  if (grant === null) return { outcome: "none" }
  const now = clock.now()
  const seen = deviceAsOf(grant, now)
  if (seen !== grant) await persistExpiry(store, grant.request.grantId, now)
  if (seen.answer.state !== "pending") return { outcome: "none" }
  const client = await readClient(services, grant.request.clientId)
  if (client === null || !isFor(grant, client, account.userId)) return { outcome: "none" }
  await wait.giveBack()
  return { outcome: "found", grant, client, letters }
}

/** The expiry has been reported, so that setting the clock back must not revive the code. */
function persistExpiry(store: Services["store"], grantId: GrantId, now: number): Promise<void> {
  return store.change({ deviceGrant: grantId }, ({ deviceGrant }) =>
    decided(
      undefined,
      ...(deviceGrant === null ? [] : persistObservedDeviceExpiry(deviceGrant, deviceAsOf(deviceGrant, now))),
    ),
  )
}

/**
 * Any account may answer a request for access while the app is enabled. A step-up belongs to the account of its
 * credential, and the page says what blocks it.
 */
function isFor({ request: { purpose } }: DeviceGrant, client: Client, userId: UserId): boolean {
  return purpose.purpose === "access" ? client.enabled : purpose.userId === userId
}

export type DeviceQuestion = {
  readonly grantId: GrantId
  readonly granted: readonly Permission[]
  readonly refusedToAccount: readonly Permission[]
}

/**
 * What a device asks of an account: what the account can grant and what it cannot. Permissions that left the app's
 * registration are not part of the question.
 */
export function questionOf(
  catalogue: Catalogue,
  { grant, client }: Pick<FoundGrant, "grant" | "client">,
  { account }: SignedIn,
): DeviceQuestion {
  const { grantId, purpose } = grant.request
  const asked = purpose.purpose === "access" ? reach(catalogue, purpose.asked, client.ceiling, true) : []
  return { grantId, ...grantableBy(account, asked) }
}
