/** A one-time password has six digits, and a recovery code another form, so one field accepts both. */

/** Crockford's base32, without letters that look alike. */
export const RECOVERY_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

/** Sixteen letters hold 80 random bits. An attacker cannot find them from the stored digest. */
export const RECOVERY_CODE_LENGTH = 16

export type TypedCode =
  { readonly kind: "totp"; readonly digits: string } | { readonly kind: "recovery"; readonly letters: string }

const LETTERS = new RegExp(`^[${RECOVERY_ALPHABET}]{${RECOVERY_CODE_LENGTH}}$`)

/** Returns the code without spaces and hyphens, or null for any other text. */
export function parseTypedCode(typed: string): TypedCode | null {
  if (typed.length > 64 || !/^[\x20-\x7e]*$/.test(typed)) return null
  const plain = typed.replace(/[ -]/g, "").toLowerCase()
  if (/^[0-9]{6}$/.test(plain)) return { kind: "totp", digits: plain }
  const letters = plain.replaceAll("o", "0").replace(/[il]/g, "1")
  return LETTERS.test(letters) ? { kind: "recovery", letters } : null
}

/** Formats a recovery code: `xxxx-xxxx-xxxx-xxxx`. */
export function shownRecoveryCode(letters: string): string {
  return (letters.match(/.{4}/g) ?? []).join("-")
}
