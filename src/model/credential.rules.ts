/**
 * A credential, from the consent to its end. Interface: tables "Authorization code" and "Credential"; RFC 6749 §4.1
 * and §6, RFC 9700 §4.14.
 */
import { sameHash } from "../kernel/constant-time.ts"
import type { ClientId, Hash, Permission, TokenId, UserId } from "../kernel/ids.ts"
import { IDLE_SECONDS } from "../kernel/limits.ts"
import { isAlive, isPast } from "../kernel/time.ts"
import { isRegistered } from "./permissions/reach.rules.ts"

/** The facts of the consent. They never change. Every exchange and refresh uses them. */
export type Consent = {
  readonly tokenId: TokenId
  readonly clientId: ClientId
  readonly userId: UserId
  readonly installationName: string | null
  /** With everything that they imply, as the consent page showed them, in the catalog's order. */
  readonly scope: readonly Permission[]
  /** The `resource` values of RFC 8707. Introspection returns them as `aud`. */
  readonly resources: readonly string[]
  readonly consentedAt: number
  readonly endsAt: number
  /** What id_tokens say about the sign-in (`openid-facts.rules.ts`). Null without the permission `openid`. */
  readonly openid: string | null
  /**
   * The sign-in provider whose word takes the place of the consent: ORG-1. Missing if the account holder consented.
   * `scope` is then what the configuration let the provider give, and `endsAt` is `NEVER`. There is no refresh token.
   */
  readonly organization?: string
}

/**
 * Whether the credential comes from binding an app to a service account, and not from a consent. Such a credential has
 * no refresh token and ends only by revocation. `endsAt` and `rotatedAt` are `NEVER`. Its tokens are of the type
 * `ServiceToken`.
 */
export function isOfServiceAccount({ scope }: Consent): boolean {
  return isRegistered(scope)
}

/** A consent that stands in for the next ones. The app has the switch `remember_consent`. OIDC-16. */
export type RememberedConsent = Pick<Consent, "userId" | "clientId" | "scope" | "resources" | "endsAt"> & {
  /** The id of the credential that the click made. Every credential of it names this id. */
  readonly id: TokenId
  /** The origin of the redirect URI. */
  readonly origin: string
  readonly clickedAt: number
}

/** The authorization code. Its digest stays stored after the exchange, so that a replay is recognized. */
export type Code = {
  readonly hash: Hash
  /** The challenge and the redirect URI are empty after the exchange, because they are not needed any more. */
  readonly challenge: string
  readonly redirectUri: string
  readonly expiresAt: number
}

export type AccessToken = {
  readonly hash: Hash
  /** 0 after a response reported the token as expired. Setting the clock back then cannot revive the token. */
  readonly expiresAt: number
  readonly issuedAt: number
  /** The scope to which the refresh narrowed this token. Null if it reaches everything that the credential reaches. */
  readonly narrowedTo: readonly Permission[] | null
  /** The resources named for this token only (RFC 8707 §2.2). Without this member, those of the consent apply. */
  readonly resources?: readonly string[]
}

/** The refresh tokens of a credential. A refresh does not make this record larger. */
export type Family = {
  /** The number of the current generation. The code exchange issues generation 1. */
  readonly generation: number
  readonly currentHash: Hash
  /** The previous generation. The value is null in generation 1. */
  readonly retired: Retired | null
  /** The times at which generations were retired, newest first. `family.rules.ts` decides which entries are kept. */
  readonly retirements: readonly Retirement[]
  /** The key of the MAC, which proves that the service issued a token. The key gives no access. */
  readonly key: string
  readonly rotatedAt: number
  /** The network address that requested the last pair. Null for pairs issued before addresses were stored. */
  readonly rotatedFrom: string | null
  /** The tokens are sorted, newest first. There are at most `ACCESS_TOKENS_KEPT`. */
  readonly accessTokens: readonly AccessToken[]
  readonly repeats: Repeats
}

/** The refreshes that were repeated in their grace period. CRED-5. */
export type Repeats = {
  /** The number of repeats since the credential was created. */
  readonly count: number
  /** Repeats from another network than the rotation's, newest first. Each network and generation has at most one. */
  readonly elsewhere: readonly RepeatElsewhere[]
}

export type RepeatElsewhere = {
  /** The generation whose pair was sent again. */
  readonly generation: number
  readonly at: number
  /** The network address of the repeat. `firstFrom` is the address of the rotation. */
  readonly from: string
  readonly firstFrom: string
}

export const NO_REPEATS: Repeats = { count: 0, elsewhere: [] }

/**
 * A group of generations that were retired in the same second.
 *
 * `generation` is the newest generation of the group. The group includes all generations down to the next older entry.
 * `at` is 0 if the grace periods of the group and of all older generations have ended.
 */
export type Retirement = { readonly generation: number; readonly at: number }

export type Retired = {
  readonly hash: Hash
  /** The `scope` of the response. A repeated response contains it again. */
  readonly answeredScope: readonly Permission[]
  /** The JWT of the response. Missing for an opaque token, which is in `accessTokens`. */
  readonly jwt?: { readonly resource: string; readonly expiresAt: number }
}

export const revokedBecause = [
  "app", // RFC 7009, by the app itself
  "account-holder",
  "administrator",
  "code-replayed",
  "refresh-token-reused",
  "account-removed",
  "app-removed",
  "not-for-account", // when the code was exchanged, the account was in none of the groups that the app is for
  "replaced", // newer credentials of the same browser session, app and label took its place
  "link-removed", // the account is no longer linked to the organization whose word it was
  "session-ended", // the sign-in session of the consent ended, for an app whose access ends with it
] as const
export type RevokedBecause = (typeof revokedBecause)[number]

export const endedBecause = ["code-expired", "idle", "lifetime"] as const
export type EndedBecause = (typeof endedBecause)[number]

/** The reasons that end an exchanged credential, but record no event for its account. */
export type QuietEnd = Exclude<EndedBecause, "code-expired"> | Extract<RevokedBecause, "app-removed">

/** The life of a credential. Each state has only the facts that are true in it. */
export type Life =
  | { readonly state: "issued" }
  | { readonly state: "active"; readonly family: Family; readonly elevatedUntil: number | null }
  | {
      readonly state: "revoked"
      readonly family: Family | null
      readonly revokedAt: number
      readonly because: RevokedBecause
    }
  | {
      readonly state: "ended"
      readonly family: Family | null
      readonly endedAt: number
      readonly because: EndedBecause
    }

export type Credential = {
  readonly consent: Consent
  /** The value is null if a device grant created the credential. */
  readonly code: Code | null
  readonly life: Life
}

/** The live credentials of one account and one app that have the same consent. */
export type HeldConsent = {
  readonly userId: UserId
  readonly clientId: ClientId
  /** Whether the account is an administrator now. */
  readonly admin: boolean
  /** The groups of the account now. */
  readonly groups: readonly string[]
  readonly scope: readonly Permission[]
  /** The sign-in provider whose word takes the place of the consents. */
  readonly organization?: string
  readonly credentials: number
}

/**
 * Returns the credential as of `now`. It ends when its unused code expires, 90 days after the last refresh, or one year
 * after the consent. If a response uses the result, the caller must store it. Setting the clock back then revives
 * nothing.
 */
export function asOf(credential: Credential, now: number): Credential {
  const ended = endOf(credential, now)
  return ended === null ? credential : { ...credential, life: ended }
}

function endOf({ consent, code, life }: Credential, now: number): Life | null {
  switch (life.state) {
    case "issued":
      return code !== null && !isAlive(code.expiresAt, now)
        ? { state: "ended", family: null, endedAt: code.expiresAt, because: "code-expired" }
        : null
    case "active":
      if (isPast(consent.endsAt, now))
        return { state: "ended", family: life.family, endedAt: consent.endsAt, because: "lifetime" }
      return isPast(idleAt(life.family), now)
        ? { state: "ended", family: life.family, endedAt: idleAt(life.family), because: "idle" }
        : null
    case "revoked":
    case "ended":
      return null
  }
}

/** Returns when the refresh token expires if the app does not refresh. CRED-1. */
export function idleAt(family: Family): number {
  return family.rotatedAt + IDLE_SECONDS
}

/** Returns when the current refresh token expires. This is the idle end or the absolute end, whichever comes first. */
export function refreshEndsAt(consent: Consent, family: Family): number {
  return Math.min(idleAt(family), consent.endsAt)
}

export function familyOf(credential: Credential): Family | null {
  return credential.life.state === "issued" ? null : credential.life.family
}

/** Whether the app ended all tokens that an organization's credential had by then. The credential itself stays. ORG-9. */
export function areTokensEnded({ consent, life }: Credential, issuedAt: number): boolean {
  if (consent.organization === undefined || life.state !== "active") return false
  return issuedAt <= (life.family.retirements[0]?.at ?? -1)
}

/** Returns the stored token with this digest even if it has expired. */
export function findAccessToken(credential: Credential, hash: Hash): AccessToken | null {
  return familyOf(credential)?.accessTokens.find((kept) => sameHash(kept.hash, hash)) ?? null
}
