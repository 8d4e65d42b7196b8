/** Recovery codes. Each works once. The service shows them once and stores only their digests. */
import type { FactorId, Hash, UserId } from "../../kernel/ids.ts"
import { decideRecoveryCodes, type FactorOutcome } from "./factor-change.rules.ts"
import { defaultFactorNames, type Recovery } from "../../model/factor.rules.ts"
import { RECOVERY_CODES } from "../../kernel/account-limits.ts"
import { RECOVERY_ALPHABET, RECOVERY_CODE_LENGTH, shownRecoveryCode } from "./typed-code.rules.ts"
import { digest } from "../../kernel/hash.ts"
import { newId, randomLetters } from "../../kernel/random.ts"
import { changeFactors } from "./factor.ts"
import type { Services } from "../../platform/services/services.ts"

type NewRecoveryCodes =
  | { readonly outcome: "done"; readonly codes: readonly string[] }
  | { readonly outcome: Exclude<FactorOutcome, "done"> }

export function recoveryHash(letters: string): Hash {
  return digest(`recovery code ${letters}`)
}

/** Creates ten codes, which replace all earlier codes. Only the return value contains them in clear text. */
export async function makeRecoveryCodes(
  services: Pick<Services, "store" | "clock">,
  userId: UserId,
  sessionHash: Hash | null,
  address: string,
): Promise<NewRecoveryCodes> {
  const now = services.clock.now()
  const letters = Array.from({ length: RECOVERY_CODES }, () =>
    randomLetters(RECOVERY_ALPHABET, RECOVERY_CODE_LENGTH),
  )
  const recovery: Recovery = {
    factorId: newId<FactorId>(now),
    userId,
    name: defaultFactorNames.recovery,
    addedAt: now,
    usedAt: null,
    kind: "recovery",
    codes: letters.map(recoveryHash),
  }
  const on = { userId, sessionHash, address, holderOf: null }
  const outcome = await changeFactors(services, on, (change) => decideRecoveryCodes(change, recovery))
  return outcome === "done" ? { outcome, codes: letters.map(shownRecoveryCode) } : { outcome }
}
