/**
 * A credential: one record from the moment consent issues its code to its end.
 * Interface: tables "Authorization code" and "Credential"; RFC 6749 §4.1 and §6, RFC 9700 §4.14.
 */
import type { ClientId, Hash, Permission, TokenId, UserId } from "../kernel/ids.ts"
import { IDLE_SECONDS } from "../kernel/limits.ts"
import { isAlive, isPast } from "../kernel/time.ts"

/** What consent settled, for good. An exchange or a refresh takes all of it from here. */
export type Consent = {
  readonly tokenId: TokenId
  readonly clientId: ClientId
  readonly userId: UserId
  readonly installationName: string | null
  /** The closed set that the consent screen showed as granted, in the catalogue's order. Never rewritten. */
  readonly scope: readonly Permission[]
  /** RFC 8707; the audience that introspection reports. */
  readonly resources: readonly string[]
  readonly consentedAt: number
  readonly endsAt: number
}

/** The authorization code's facts; its digest is kept after it is consumed, so that a replay is known for what it is. */
export type Code = {
  readonly hash: Hash
  /** Empty once the code is redeemed, like the redirect URI: nothing compares them again. */
  readonly challenge: string
  readonly redirectUri: string
  readonly expiresAt: number
}

export type AccessToken = {
  readonly hash: Hash
  /** 0 once an answer reported the token as expired, so that a clock set back does not revive it. */
  readonly expiresAt: number
  readonly issuedAt: number
  /** The scope this token was narrowed to at its refresh; null if it reaches all that the credential does. */
  readonly narrowedTo: readonly Permission[] | null
}

/** The refresh tokens of a credential. Its size does not grow with rotations. */
export type Family = {
  /** Number of the current generation; the exchange issues generation 1. */
  readonly generation: number
  readonly currentHash: Hash
  /** The generation before; null in generation 1. */
  readonly retired: Retired | null
  /** When generations were retired, newest first; `family.ts` says which are kept. */
  readonly retirements: readonly Retirement[]
  /** Key of the MAC that tells a token issued once from garbage. It opens nothing. */
  readonly key: string
  readonly rotatedAt: number
  /** The network address that requested the last pair; null if it was issued before addresses were recorded. */
  readonly rotatedFrom: string | null
  /** Newest first, at most `ACCESS_TOKENS_KEPT`. */
  readonly accessTokens: readonly AccessToken[]
  readonly repeats: Repeats
}

/** Refreshes that were answered again inside their window. CRED-5. */
export type Repeats = {
  /** In the whole life of the credential. */
  readonly count: number
  /** Those from another network than the rotation's, newest first: one a network and generation. */
  readonly elsewhere: readonly RepeatElsewhere[]
}

export type RepeatElsewhere = {
  /** The generation whose tokens were answered again. */
  readonly generation: number
  readonly at: number
  /** The network address of the repeat, and that of the rotation. */
  readonly from: string
  readonly firstFrom: string
}

export const NO_REPEATS: Repeats = { count: 0, elsewhere: [] }

/**
 * By `at`, every generation up to this one had been retired, those since the entry before it in that very second. 0 where
 * the window of all of them was over at a later rotation.
 */
export type Retirement = { readonly generation: number; readonly at: number }

export type Retired = {
  readonly hash: Hash
  /** The `scope` of the answer, repeated with it. */
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

export type EndedBecause = "code-expired" | "idle" | "lifetime"

/** Why access that an app held came to an end of which no event of its account tells. */
export type QuietEnd = Exclude<EndedBecause, "code-expired"> | Extract<RevokedBecause, "app-removed">

/** A state carries exactly the facts that are true in it. */
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
  /** Null where a device grant made the credential. */
  readonly code: Code | null
  readonly life: Life
}

/**
 * The credential at an instant. An unused code that expired, ninety days without a rotation, or a year since the consent
 * ends it. A caller that answers from the result stores it, so that a clock set back revives nothing.
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

/** When refreshing stops for want of a rotation. CRED-1. */
export function idleAt(family: Family): number {
  return family.rotatedAt + IDLE_SECONDS
}

/** When the current refresh token stops working, whichever limit comes first. */
export function refreshEndsAt(consent: Consent, family: Family): number {
  return Math.min(idleAt(family), consent.endsAt)
}

export function familyOf(credential: Credential): Family | null {
  return credential.life.state === "issued" ? null : credential.life.family
}
