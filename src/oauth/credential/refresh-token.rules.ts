/**
 * Classifies a presented refresh token against the credential that its id names. Interface CRED-1, CRED-2; RFC 9700
 * §4.14.2.
 *
 * The generation number and the digest identify the current token and the one before it. The MAC identifies every older
 * one, so that any token ever issued is recognized in constant space.
 */
import { sameHash } from "../../kernel/constant-time.ts"
import type { Hash } from "../../kernel/ids.ts"
import type { Family } from "../../records/credential.rules.ts"
import { isOutOfWindow } from "./family.rules.ts"

export type PresentedRefreshToken = {
  readonly generation: number
  readonly hash: Hash
  /** Whether the token's MAC was made under this family's key. */
  readonly isGenuine: (familyKey: string) => boolean
}

export type Presented =
  /** The current token. */
  | "current"
  /** The token before it, in its grace period: the answer may have been lost. Divergence: D-8. */
  | "justRetired"
  /** An older token whose grace period may be open. */
  | "retiredLately"
  /** A token that was provably retired for longer than the grace period. */
  | "retiredLongAgo"
  /** Never issued: an altered generation, number or secret. */
  | "neverIssued"

export function classify(family: Family, token: PresentedRefreshToken, now: number): Presented {
  if (token.generation === family.generation) {
    return sameHash(token.hash, family.currentHash) ? "current" : "neverIssued"
  }
  if (token.generation === family.generation - 1 && family.retired !== null) {
    if (!sameHash(token.hash, family.retired.hash)) return "neverIssued"
    return isRetiredLongAgo(family, token.generation, now) ? "retiredLongAgo" : "justRetired"
  }
  if (token.generation < 1 || token.generation > family.generation || !token.isGenuine(family.key))
    return "neverIssued"
  return isRetiredLongAgo(family, token.generation, now) ? "retiredLongAgo" : "retiredLately"
}

/** Whether a generation was provably retired longer ago than the grace period. */
function isRetiredLongAgo({ retirements }: Family, generation: number, now: number): boolean {
  const retirement = retirements.findLast((kept) => kept.generation >= generation)
  return retirement !== undefined && isOutOfWindow(retirement.at, now)
}
