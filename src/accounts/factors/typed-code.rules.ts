/**
 * A typed code: the six digits of a one-time password, or a recovery code. Their forms differ, so one field takes both.
 */

/** Crockford's base32: no letters that look alike. */
export const RECOVERY_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

/** Sixteen letters are 80 bits: too many to guess from a digest. */
export const RECOVERY_CODE_LENGTH = 16

export type TypedCode =
  { readonly kind: "totp"; readonly digits: string } | { readonly kind: "recovery"; readonly letters: string }

const LETTERS = new RegExp(`^[${RECOVERY_ALPHABET}]{${RECOVERY_CODE_LENGTH}}$`)

/** The code in canonical form, without spaces and hyphens; null if it is not a code. */
export function parseTypedCode(typed: string): TypedCode | null {
  if (typed.length > 64 || !/^[\x20-\x7e]*$/.test(typed)) return null
  const plain = typed.replace(/[ -]/g, "").toLowerCase()
  if (/^[0-9]{6}$/.test(plain)) return { kind: "totp", digits: plain }
  const letters = plain.replaceAll("o", "0").replace(/[il]/g, "1")
  return LETTERS.test(letters) ? { kind: "recovery", letters } : null
}

/** A recovery code as pages show it: `xxxx-xxxx-xxxx-xxxx`. */
export function shownRecoveryCode(letters: string): string {
  return (letters.match(/.{4}/g) ?? []).join("-")
}
