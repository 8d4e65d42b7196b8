/**
 * A credential, from the consent to its end. Interface: tables "Authorization code" and "Credential"; RFC 6749 §4.1
 * and §6, RFC 9700 §4.14.
 */
import { sameHash } from "../kernel/constant-time.ts"
import type { ClientId, Hash, Permission, TokenId, UserId } from "../kernel/ids.ts"
import { IDLE_SECONDS } from "../kernel/limits.ts"
import { isAlive, isPast } from "../kernel/time.ts"
import { isRegistered } from "../permissions/reach.rules.ts"

/** The facts of the consent. They never change. Every exchange and refresh reads them here. */
export type Consent = {
  readonly tokenId: TokenId
  readonly clientId: ClientId
  readonly userId: UserId
  readonly installationName: string | null
  /** The granted permissions with everything they imply, as shown on the consent page, in the catalogue's order. */
  readonly scope: readonly Permission[]
  /** The `resource` values of RFC 8707. Introspection returns them as `aud`. */
  readonly resources: readonly string[]
  readonly consentedAt: number
  readonly endsAt: number
}

/**
 * Whether the credential comes from binding an app to a service account, not from a consent. Such a credential has no
 * refresh token and ends only by revocation: `endsAt` and `rotatedAt` are `NEVER`. It has `ServiceToken`s.
 */
export function isOfServiceAccount({ scope }: Consent): boolean {
  return isRegistered(scope)
}

/** The authorization code. Its digest stays stored after the exchange, so that a replay is recognized. */
export type Code = {
  readonly hash: Hash
  /** Empty after the exchange, like the redirect URI, because nothing compares them again. */
  readonly challenge: string
  readonly redirectUri: string
  readonly expiresAt: number
}

export type AccessToken = {
  readonly hash: Hash
  /** 0 once a response reported the token as expired, so that setting the clock back does not revive it. */
  readonly expiresAt: number
  readonly issuedAt: number
  /** The scope that the refresh narrowed this token to; null if the token reaches all that the credential reaches. */
  readonly narrowedTo: readonly Permission[] | null
  /** The resources that a token request named for this token alone (RFC 8707 §2.2); absent for those of the consent. */
  readonly resources?: readonly string[]
}

/** The refresh tokens of a credential. The size of this record does not grow with each refresh. */
export type Family = {
  /** The number of the current generation. The code exchange issues generation 1. */
  readonly generation: number
  readonly currentHash: Hash
  /** The previous generation; null in generation 1. */
  readonly retired: Retired | null
  /** When generations were retired, newest first. `family.rules.ts` decides which entries are kept. */
  readonly retirements: readonly Retirement[]
  /** The key of the MAC that proves that the service issued a token. It gives no access. */
  readonly key: string
  readonly rotatedAt: number
  /** The network address that requested the last pair; null for pairs from before addresses were recorded. */
  readonly rotatedFrom: string | null
  /** Newest first, at most `ACCESS_TOKENS_KEPT`. */
  readonly accessTokens: readonly AccessToken[]
  readonly repeats: Repeats
}

/** Refreshes that were repeated in the grace period. CRED-5. */
export type Repeats = {
  /** The count over the whole life of the credential. */
  readonly count: number
  /** Repeats from another network than the rotation's, newest first. At most one for each network and generation. */
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
 * `generation` is the newest generation of the group, which reaches back to the next older entry. `at` is 0 if the
 * grace periods of the group and of all older generations have ended.
 */
export type Retirement = { readonly generation: number; readonly at: number }

export type Retired = {
  readonly hash: Hash
  /** The `scope` of the response, which a repeat returns again. */
  readonly answeredScope: readonly Permission[]
}

export type RevokedBecause =
  | "app" // RFC 7009, by the app itself
  | "account-holder"
  | "administrator"
  | "code-replayed"
  | "refresh-token-reused"
  | "account-removed"
  | "app-removed"
  | "session-ended" // the sign-in session of the consent, of an app that ends with it

export type EndedBecause = "code-expired" | "idle" | "lifetime"

/** The reasons that end an exchanged credential without recording an event for its account. */
export type QuietEnd =
  Exclude<EndedBecause, "code-expired"> | Extract<RevokedBecause, "app-removed" | "session-ended">

/** Each state carries only the facts that are true in it. */
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
  /** Null if a device grant created the credential. */
  readonly code: Code | null
  readonly life: Life
}

/**
 * Returns the credential as of `now`. An expired unused code, 90 days without a refresh, or one year since the
 * consent ends it. A caller that answers from the result must store it, so that setting the clock back revives
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

/** When the refresh token expires if the app does not refresh. CRED-1. */
export function idleAt(family: Family): number {
  return family.rotatedAt + IDLE_SECONDS
}

/** When the current refresh token expires: idle or absolute, whichever comes first. */
export function refreshEndsAt(consent: Consent, family: Family): number {
  return Math.min(idleAt(family), consent.endsAt)
}

export function familyOf(credential: Credential): Family | null {
  return credential.life.state === "issued" ? null : credential.life.family
}

/** Returns the stored access token with this digest, expired or not; null if the digest is not stored. */
export function findAccessToken(credential: Credential, hash: Hash): AccessToken | null {
  return familyOf(credential)?.accessTokens.find((kept) => sameHash(kept.hash, hash)) ?? null
}
