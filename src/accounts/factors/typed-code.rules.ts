/**
 * What a person types as a code: the six digits of a one-time password, or a recovery code. Their forms tell them
 * apart, so that one field takes either.
 */

/** Crockford's base32: no letter that reads as another one. */
export const RECOVERY_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

/** Sixteen letters are 80 bits: their digests give nothing away, however long somebody computes. */
export const RECOVERY_CODE_LENGTH = 16

export type TypedCode =
  { readonly kind: "totp"; readonly digits: string } | { readonly kind: "recovery"; readonly letters: string }

const LETTERS = new RegExp(`^[${RECOVERY_ALPHABET}]{${RECOVERY_CODE_LENGTH}}$`)

/** The code in its one form; null where it is none. Spaces and hyphens are for the eye. */
export function parseTypedCode(typed: string): TypedCode | null {
  if (typed.length > 64 || !/^[\x20-\x7e]*$/.test(typed)) return null
  const plain = typed.replace(/[ -]/g, "").toLowerCase()
  if (/^[0-9]{6}$/.test(plain)) return { kind: "totp", digits: plain }
  const letters = plain.replaceAll("o", "0").replace(/[il]/g, "1")
  return LETTERS.test(letters) ? { kind: "recovery", letters } : null
}

/** A recovery code as it is shown: `xxxx-xxxx-xxxx-xxxx`. */
export function shownRecoveryCode(letters: string): string {
  return (letters.match(/.{4}/g) ?? []).join("-")
}
