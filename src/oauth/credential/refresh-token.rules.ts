/**
 * Classifies a presented refresh token against its credential. Interface CRED-1, CRED-2; RFC 9700 §4.14.2.
 *
 * The generation number and the digest identify the current and the previous token. The MAC identifies every older
 * token. Reuse is therefore detected without storing old digests. `credential-table.rules.ts` says what follows, and
 * `GRACE_SECONDS` is the length of the grace period.
 */
import { sameHash } from "../../kernel/constant-time.ts"
import type { Hash } from "../../kernel/ids.ts"
import type { Family } from "../../model/credential.rules.ts"
import { isOutOfWindow } from "./family.rules.ts"

export type PresentedRefreshToken = {
  readonly generation: number
  readonly hash: Hash
  /** Whether the MAC of the token was made with this family key. */
  readonly isGenuine: (familyKey: string) => boolean
}

export type Presented =
  /** The current token. */
  | "current"
  /** The previous token in its grace period. The app may have lost the response. Divergence: D-8. */
  | "previousWithinGrace"
  /** An older token whose grace period may still be open. */
  | "olderWithinGrace"
  /** A token whose grace period has certainly ended. */
  | "reusedAfterGrace"
  /** A token that was never issued, because its generation or secret is wrong. */
  | "neverIssued"

export function classify(family: Family, token: PresentedRefreshToken, now: number): Presented {
  if (token.generation === family.generation) {
    return sameHash(token.hash, family.currentHash) ? "current" : "neverIssued"
  }
  if (token.generation === family.generation - 1 && family.retired !== null) {
    if (!sameHash(token.hash, family.retired.hash)) return "neverIssued"
    return isGraceOver(family, token.generation, now) ? "reusedAfterGrace" : "previousWithinGrace"
  }
  if (token.generation < 1 || token.generation > family.generation || !token.isGenuine(family.key))
    return "neverIssued"
  return isGraceOver(family, token.generation, now) ? "reusedAfterGrace" : "olderWithinGrace"
}

/** Whether the grace period of a generation has certainly ended. */
function isGraceOver({ retirements }: Family, generation: number, now: number): boolean {
  const retirement = retirements.findLast((kept) => kept.generation >= generation)
  return retirement !== undefined && isOutOfWindow(retirement.at, now)
}
