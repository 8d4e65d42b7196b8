/** One-time passwords of other services. MOVE-8. */
import type { Skipped } from "./moved.rules.ts"

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
const SECRET = /^[A-Z2-7]{16,128}$/

export type OneTimePassword = {
  /** In base32. */
  readonly secret: string
  readonly digits: number
  readonly period: number
  readonly algorithm: string
}

/** Returns the secret as it is stored. Returns null for another kind of one-time password. */
export function otpSecret({ secret, digits, period, algorithm }: OneTimePassword): string | null {
  const text = secret.toUpperCase().replace(/[\s=-]/g, "")
  const isUsual = digits === 6 && period === 30 && /^(?:hmac)?-?sha-?1$/i.test(algorithm)
  return isUsual && SECRET.test(text) ? text : null
}

export function unusableOtp(name: string): Skipped {
  const reason = "Only six digits, 30 seconds, SHA-1 and a secret of at least 80 bits are supported."
  return { what: "one-time password", name, reason }
}

export function passkeyOf(name: string): Skipped {
  const reason = "A passkey belongs to the host name of the old service. Add a new one."
  return { what: "one-time password", name, reason }
}

export function recoveryCodesOf(name: string): Skipped {
  return { what: "one-time password", name, reason: "Recovery codes do not move in. Make new ones." }
}

export function otpauthSecret(address: string): string | null {
  const [, query = ""] = /^otpauth:\/\/totp\/[^?]*\?(.*)$/.exec(address) ?? []
  const values = new Map(query.split("&").map((pair) => pair.split("=") as [string, string]))
  return otpSecret({
    secret: values.get("secret") ?? "",
    digits: Number(values.get("digits") ?? 6),
    period: Number(values.get("period") ?? 30),
    algorithm: values.get("algorithm") ?? "SHA1",
  })
}

/** Writes the characters of a text as base32. */
export function base32Of(text: string): string {
  let [letters, bits, count] = ["", 0, 0]
  for (const character of text) {
    bits = ((bits << 8) | (character.charCodeAt(0) & 255)) & 0xfffff
    for (count += 8; count >= 5; count -= 5) letters += BASE32.charAt((bits >>> (count - 5)) & 31)
  }
  return count === 0 ? letters : letters + BASE32.charAt((bits << (5 - count)) & 31)
}
