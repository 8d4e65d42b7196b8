/** Digests and message authentication codes. */
import { createHmac, hash } from "node:crypto"
import type { Hash } from "./ids.ts"

/** SHA-256 in base64url, 43 characters. For files and high-entropy secrets; `password.ts` hashes passwords. */
export function digest(whole: string | Uint8Array): Hash {
  return hash("sha256", whole, "base64url") as Hash
}

/** SHA-512 in base64url, 86 characters. A refresh derives two secrets from it. */
export function wideDigest(whole: string): string {
  return hash("sha512", whole, "base64url")
}

/** HMAC-SHA-256 in base64url, 43 characters. */
export function mac(key: string | Buffer, message: string): string {
  return createHmac("sha256", key).update(message).digest("base64url")
}
