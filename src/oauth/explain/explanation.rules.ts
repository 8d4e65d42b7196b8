/**
 * Explains which permissions a credential reaches. Interface PERM-2…PERM-7, CRED-4, STEP-2.
 *
 * The result agrees with `reach` and with `credentialRecord`. It lists every blocker, so that a reader sees everything
 * that would have to change.
 */
import type { Account } from "../../model/account.rules.ts"
import type { Hash, Permission } from "../../kernel/ids.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import {
  type AccessToken,
  asOf,
  type Consent,
  type Credential,
  type EndedBecause,
  familyOf,
  idleAt,
  isOfServiceAccount,
  type Life,
  NO_REPEATS,
  type Repeats,
  type RevokedBecause,
} from "../../model/credential.rules.ts"
import { closureSet, impliersOf, isAdmin } from "../../model/permissions/permission.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import type { ServiceToken } from "../../model/service-token.rules.ts"
import { consentedTo, isRegistered } from "../../model/permissions/reach.rules.ts"
import { admits, isGivenByGroups } from "../../model/permissions/standing.rules.ts"
import { givenBy, isWithdrawn, reachOf } from "../../model/sign-in/organization.rules.ts"
import type { SignInProviders } from "../../model/sign-in/provider.rules.ts"
import { isAlive } from "../../kernel/time.ts"

/** A reason why the whole credential reaches nothing. */
export type CredentialBlocker =
  | { readonly blocker: "revoked"; readonly at: number; readonly because: RevokedBecause }
  | { readonly blocker: "ended"; readonly at: number; readonly because: EndedBecause }
  | { readonly blocker: "app-gone" | "app-disabled" | "account-gone" | "account-disabled" }
  /** The account is in none of the groups that the app is for. */
  | { readonly blocker: "app-for-groups"; readonly groups: readonly string[] }
  /** The configuration does not let the organization connect the app any more. */
  | { readonly blocker: "organization-withdrawn" }

/** A reason why the credential does not reach one permission. */
export type PermissionBlocker =
  "left-catalog" | "beyond-ceiling" | "no-administrator" | "not-in-groups" | "not-consented"

export type ExplainedPermission = {
  readonly permission: Permission
  readonly isReached: boolean
  readonly isConsented: boolean
  /** Whether an administrator bound the app to a service account. The binding takes the place of a consent. */
  readonly isBound: boolean
  /** Whether the word of an organization takes the place of the consent. */
  readonly isGiven: boolean
  /** Other consented permissions that imply it today. A later implication does not extend the consent. */
  readonly consentImpliedBy: readonly Permission[]
  readonly ceiling: "named" | "implied" | "absent"
  readonly ceilingImpliedBy: readonly Permission[]
  /** The groups whose members may hold it. Empty if every account may. */
  readonly forGroups: readonly string[]
  /** The permission is reached if this list is empty and no blocker affects the whole credential. */
  readonly blockers: readonly PermissionBlocker[]
}

export type ExplainedAccessToken = {
  readonly hash: Hash
  readonly issuedAt: number
  /** The value is 0 after a response reported the token as expired. */
  readonly expiresAt: number
  readonly isLive: boolean
  /** The scope that the refresh requested, or null if the token reaches everything that the credential reaches. */
  readonly narrowedTo: readonly Permission[] | null
  readonly reach: readonly Permission[]
}

/** When an unused credential ends, and by which rule. */
export type ComingEnd = { readonly at: number; readonly rule: "code" | "idle" | "lifetime" }

export type Explanation = {
  readonly credential: Credential
  /** The current row of the app. The value is null if the app was removed. */
  readonly client: Client | null
  readonly account: Account | null
  readonly state: Life["state"]
  readonly blockers: readonly CredentialBlocker[]
  /** The value is null if the credential has ended, or if only revocation can end it. */
  readonly comingEnd: ComingEnd | null
  /** Whether the credential ends with the sign-in session of its consent. */
  readonly endsWithSession: boolean
  /** The value is null if the credential is not elevated now. */
  readonly elevatedUntil: number | null
  /** The value is null if no refresh was repeated. */
  readonly repeats: Repeats | null
  /** Those of an active credential, newest first. For a service account, only the latest token. */
  readonly accessTokens: readonly ExplainedAccessToken[]
  /** All permissions of the catalog, in order, then consented permissions that are no longer in the catalog. */
  readonly permissions: readonly ExplainedPermission[]
}

const NO_APP = { ceiling: [], groups: [] }
const NO_ACCOUNT = { admin: false, groups: [] }

export function explanation(
  catalog: Catalog,
  stored: Credential,
  client: Client | null,
  account: Account | null,
  now: number,
  providers: SignInProviders,
  serviceTokens: readonly ServiceToken[] = [],
  endsWithSession = false,
): Explanation {
  const credential = asOf(stored, now)
  const { life, consent } = credential
  const blockers = [
    ...overOf(life),
    ...appBlocker(client),
    ...accountBlocker(account),
    ...groupBlocker(client, account),
    ...(isWithdrawn(providers, consent) ? [{ blocker: "organization-withdrawn" } as const] : []),
  ]
  const allowed = reachOf(catalog, providers, consent, client ?? NO_APP, account ?? NO_ACCOUNT)
  const reached = blockers.length === 0 ? allowed : []
  const elevatedUntil = life.state === "active" ? life.elevatedUntil : null
  return {
    credential,
    client,
    account,
    state: life.state,
    blockers: blockers,
    comingEnd: comingEnd(credential),
    endsWithSession,
    elevatedUntil: elevatedUntil !== null && isAlive(elevatedUntil, now) ? elevatedUntil : null,
    repeats: repeatsOf(credential),
    accessTokens: accessTokensOf(life, serviceTokens).map((token) => explained(token, reached, now)),
    permissions: explainedPermissions(catalog, consent, client, account, new Set(reached), providers),
  }
}

function accessTokensOf(life: Life, serviceTokens: readonly ServiceToken[]): readonly AccessToken[] {
  if (life.state !== "active") return []
  return [
    ...life.family.accessTokens,
    ...serviceTokens.map((token) => ({ ...token, narrowedTo: token.scope })),
  ]
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

function groupBlocker(client: Client | null, account: Account | null): readonly CredentialBlocker[] {
  if (client === null || account === null || admits(client.groups, account)) return []
  return [{ blocker: "app-for-groups", groups: client.groups }]
}

/**
 * Returns when an unused credential ends: 90 days after the last refresh, or a year after the consent. With an unused
 * code, the credential ends sooner. CRED-4, AUTH-6.
 */
function comingEnd({ consent, code, life }: Credential): ComingEnd | null {
  const lifetime = { at: consent.endsAt, rule: "lifetime" } as const
  switch (life.state) {
    case "issued":
      return code === null ? lifetime : { at: code.expiresAt, rule: "code" }
    case "active": {
      if (isOfServiceAccount(consent)) return null
      const idle = { at: idleAt(life.family), rule: "idle" } as const
      return idle.at < lifetime.at ? idle : lifetime
    }
    case "revoked":
    case "ended":
      return null
  }
}

function explained(token: AccessToken, reached: readonly Permission[], now: number): ExplainedAccessToken {
  const { hash, issuedAt, expiresAt, narrowedTo } = token
  const isLive = isAlive(expiresAt, now)
  const left = narrowedTo === null ? reached : reached.filter((name) => narrowedTo.includes(name))
  return { hash, issuedAt, expiresAt, isLive, narrowedTo, reach: isLive ? left : [] }
}

function explainedPermissions(
  catalog: Catalog,
  { scope, organization, clientId }: Consent,
  client: Client | null,
  account: Account | null,
  reached: ReadonlySet<Permission>,
  providers: SignInProviders,
): readonly ExplainedPermission[] {
  const ceiling = client?.ceiling ?? []
  const isBound = isRegistered(scope)
  const isGiven = organization !== undefined
  const consented = isGiven
    ? (givenBy(catalog, providers.get(organization)?.assertions, clientId) ?? [])
    : consentedTo(catalog, scope, ceiling)
  const closed = closureSet(catalog, ceiling)
  const departed = consented.filter((name) => !catalog.has(name))
  return [...catalog.keys(), ...departed].map((permission): ExplainedPermission => {
    const isConsented = consented.includes(permission)
    const place = ceiling.includes(permission) ? "named" : closed.has(permission) ? "implied" : "absent"
    // If the app or account was removed, the whole credential is already blocked.
    const blockers: readonly (PermissionBlocker | false)[] = [
      !catalog.has(permission) && "left-catalog",
      place === "absent" && client !== null && "beyond-ceiling",
      isAdmin(permission) && account?.admin === false && "no-administrator",
      account !== null && !isGivenByGroups(catalog, permission, account) && "not-in-groups",
      !isConsented && !isBound && "not-consented",
    ]
    return {
      permission,
      isReached: reached.has(permission),
      isConsented,
      consentImpliedBy: isBound || isGiven ? [] : impliersOf(catalog, permission, consented),
      isBound,
      isGiven,
      ceiling: place,
      ceilingImpliedBy: impliersOf(catalog, permission, ceiling),
      forGroups: catalog.get(permission)?.forGroups ?? [],
      blockers: blockers.filter((blocker) => blocker !== false),
    }
  })
}
