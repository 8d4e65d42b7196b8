/** Packed families as versions with nonces wrote them (commit da66f4b): the retired token's is counted where now is none. */
import { counted, pack } from "../../src/store/codecs/sextets.ts"

/** `keyLength` letters of the family's key: 22, or 43 from older versions. */
export function withNonce(family: Uint8Array, nonce: string, keyLength: number): Uint8Array {
  const place = 3 + 33 + (((keyLength + 4) & ~3) * 3) / 4 + 33
  const none = pack(counted("")).length
  return Buffer.concat([family.subarray(0, place), pack(counted(nonce)), family.subarray(place + none)])
}

/** 22 letters as now, and 43 as older versions made them; nothing else in a row looks alike. */
export const nonces = ["NonceNonceNonceNonceNw", `${"OldNonceOldNonce".repeat(3).slice(0, 42)}w`] as const

/** Bytes of a nonce as a row holds them, behind its length. */
export function nonceBytes(nonce: string): Buffer {
  return Buffer.from(pack(counted(nonce)).subarray(1, 16))
}
