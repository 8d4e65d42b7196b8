/**
 * Why a credential reaches what it reaches, and why not what it does not. Interface PERM-2…PERM-7, CRED-4, STEP-2.
 *
 * It agrees with `reach` and with `credentialRecord`; beyond them it keeps every reason, so that a reader sees
 * all that would have to change.
 */
import type { Account } from "../../records/account.rules.ts"
import type { Permission } from "../../kernel/ids.ts"
import type { Client } from "../../records/client.rules.ts"
import {
  type AccessToken,
  asOf,
  type Credential,
  type EndedBecause,
  familyOf,
  idleAt,
  type Life,
  NO_REPEATS,
  type Repeats,
  type RevokedBecause,
} from "../../records/credential.rules.ts"
import { closureSet, impliersOf, isAdmin } from "../permission.rules.ts"
import type { Catalogue } from "../permission-catalogue.rules.ts"
import { reach } from "../reach.rules.ts"
import { isAlive } from "../../kernel/time.ts"

/** What keeps the whole credential from reaching anything. */
export type CredentialBlocker =
  | { readonly blocker: "revoked"; readonly at: number; readonly because: RevokedBecause }
  | { readonly blocker: "ended"; readonly at: number; readonly because: EndedBecause }
  | { readonly blocker: "app-gone" | "app-disabled" | "account-gone" | "account-disabled" }

/** What keeps one permission from being reached, in the order in which it is mended. */
export type PermissionBlocker = "left-catalogue" | "beyond-ceiling" | "no-administrator" | "not-consented"

export type ExplainedPermission = {
  readonly permission: Permission
  /** Null where it left the catalogue. */
  readonly title: string | null
  readonly isReached: boolean
  readonly isConsented: boolean
  /**
   * Other permissions of the consent that imply it today. Where it is not consented to itself, they imply it only since
   * then, which widens no consent.
   */
  readonly consentImpliedBy: readonly Permission[]
  readonly ceiling: "named" | "implied" | "absent"
  /** Names of the ceiling that bring it along. */
  readonly ceilingImpliedBy: readonly Permission[]
  /** Empty for what consent, ceiling and account allow; whether it is reached then depends on blockers alone. */
  readonly obstacles: readonly PermissionBlocker[]
}

export type ExplainedAccessToken = {
  readonly issuedAt: number
  /** 0 where a request was told that it had expired. */
  readonly expiresAt: number
  readonly isLive: boolean
  /** What its refresh asked for; null where it reaches all that the credential does. */
  readonly narrowedTo: readonly Permission[] | null
  readonly reach: readonly Permission[]
}

/** When it ends if nothing happens, and by which rule; null where it is over. */
export type ComingEnd = { readonly at: number; readonly rule: "code" | "idle" | "lifetime" }

export type Explanation = {
  readonly credential: Credential
  /** As they are now; null where they are gone. */
  readonly client: Client | null
  readonly account: Account | null
  readonly state: Life["state"]
  readonly blockers: readonly CredentialBlocker[]
  readonly comingEnd: ComingEnd | null
  /** Null where it is not elevated now. */
  readonly elevatedUntil: number | null
  /** Null where its refreshes were never answered again. */
  readonly repeats: Repeats | null
  /** Newest first; none unless the credential is active. */
  readonly accessTokens: readonly ExplainedAccessToken[]
  /** Every permission of the catalogue in its order, then what was consented to and left it. */
  readonly permissions: readonly ExplainedPermission[]
}

export function explanation(
  catalogue: Catalogue,
  stored: Credential,
  client: Client | null,
  account: Account | null,
  now: number,
): Explanation {
  const credential = asOf(stored, now)
  const { life, consent } = credential
  const blockers = [...overOf(life), ...appBlocker(client), ...accountBlocker(account)]
  const allowed = reach(catalogue, consent.scope, client?.ceiling ?? [], account?.admin ?? false)
  const reached = blockers.length === 0 ? allowed : []
  const elevatedUntil = life.state === "active" ? life.elevatedUntil : null
  return {
    credential,
    client,
    account,
    state: life.state,
    blockers: blockers,
    comingEnd: comingEnd(credential),
    elevatedUntil: elevatedUntil !== null && isAlive(elevatedUntil, now) ? elevatedUntil : null,
    repeats: repeatsOf(credential),
    accessTokens:
      life.state === "active" ? life.family.accessTokens.map((token) => explained(token, reached, now)) : [],
    permissions: explainedPermissions(catalogue, consent.scope, client, account, new Set(reached)),
  }
}

function repeatsOf(credential: Credential): Repeats | null {
  const repeats = familyOf(credential)?.repeats ?? NO_REPEATS
  return repeats.count === 0 ? null : repeats
}

function overOf(life: Life): readonly CredentialBlocker[] {
  switch (life.state) {
    case "revoked":
      return [{ blocker: "revoked", at: life.revokedAt, because: life.because }]
    case "ended":
      return [{ blocker: "ended", at: life.endedAt, because: life.because }]
    case "issued":
    case "active":
      return []
  }
}

function appBlocker(client: Client | null): readonly CredentialBlocker[] {
  if (client === null) return [{ blocker: "app-gone" }]
  return client.enabled ? [] : [{ blocker: "app-disabled" }]
}

function accountBlocker(account: Account | null): readonly CredentialBlocker[] {
  if (account === null) return [{ blocker: "account-gone" }]
  return account.enabled ? [] : [{ blocker: "account-disabled" }]
}

/** CRED-4, AUTH-6: ninety days after the last rotation, or a year after the consent; an unused code, sooner. */
function comingEnd({ consent, code, life }: Credential): ComingEnd | null {
  const lifetime = { at: consent.endsAt, rule: "lifetime" } as const
  switch (life.state) {
    case "issued":
      return code === null ? lifetime : { at: code.expiresAt, rule: "code" }
    case "active": {
      const idle = { at: idleAt(life.family), rule: "idle" } as const
      return idle.at < lifetime.at ? idle : lifetime
    }
    case "revoked":
    case "ended":
      return null
  }
}

function explained(token: AccessToken, reached: readonly Permission[], now: number): ExplainedAccessToken {
  const { issuedAt, expiresAt, narrowedTo } = token
  const isLive = isAlive(expiresAt, now)
  const left = narrowedTo === null ? reached : reached.filter((name) => narrowedTo.includes(name))
  return { issuedAt, expiresAt, isLive, narrowedTo, reach: isLive ? left : [] }
}

function explainedPermissions(
  catalogue: Catalogue,
  consented: readonly Permission[],
  client: Client | null,
  account: Account | null,
  reached: ReadonlySet<Permission>,
): readonly ExplainedPermission[] {
  const ceiling = client?.ceiling ?? []
  const closed = closureSet(catalogue, ceiling)
  const departed = consented.filter((name) => !catalogue.has(name))
  return [...catalogue.keys(), ...departed].map((permission): ExplainedPermission => {
    const isConsented = consented.includes(permission)
    const place = ceiling.includes(permission) ? "named" : closed.has(permission) ? "implied" : "absent"
    // If the app or the account is gone, its blocker is the only reason.
    const obstacles: readonly (PermissionBlocker | false)[] = [
      !catalogue.has(permission) && "left-catalogue",
      place === "absent" && client !== null && "beyond-ceiling",
      isAdmin(permission) && account?.admin === false && "no-administrator",
      !isConsented && "not-consented",
    ]
    return {
      permission,
      title: catalogue.get(permission)?.title ?? null,
      isReached: reached.has(permission),
      isConsented,
      consentImpliedBy: impliersOf(catalogue, permission, consented),
      ceiling: place,
      ceilingImpliedBy: impliersOf(catalogue, permission, ceiling),
      obstacles: obstacles.filter((obstacle) => obstacle !== false),
    }
  })
}
