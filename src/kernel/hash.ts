import { createHmac, hash } from "node:crypto"
import type { Hash } from "./ids.ts"

/**
 * Returns the SHA-256 of a text or file in base64url, 43 characters. Use it for secrets with high entropy.
 * `password.ts` hashes passwords.
 */
export function digest(whole: string | Uint8Array): Hash {
  return hash("sha256", whole, "base64url") as Hash
}

/** Returns the SHA-512 of a text in base64url, 86 characters. A refresh derives two secrets from it. */
export function wideDigest(whole: string): string {
  return hash("sha512", whole, "base64url")
}

/** Returns the HMAC-SHA-256 of a message in base64url, 43 characters. */
export function mac(key: string | Buffer, message: string): string {
  return createHmac("sha256", key).update(message).digest("base64url")
}
