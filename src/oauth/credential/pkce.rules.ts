/** Proof key for code exchange, S256 only. RFC 7636 §4; interface AUTH-5. */
import type { Hash } from "../../kernel/ids.ts"
import { sameHash } from "../../kernel/constant-time.ts"
import { CODE_CHALLENGE_LENGTH, CODE_VERIFIER_LENGTH } from "../../kernel/limits.ts"

const CHALLENGE = new RegExp(`^[A-Za-z0-9_-]{${CODE_CHALLENGE_LENGTH}}$`)
const VERIFIER = new RegExp(`^[\\x20-\\x7e]{${CODE_VERIFIER_LENGTH.least},${CODE_VERIFIER_LENGTH.most}}$`)

/** Whether `text` can be a SHA-256 digest in base64url. RFC 7636 §4.2. */
export function isCodeChallenge(text: string): boolean {
  return CHALLENGE.test(text)
}

/** 43 to 128 printable ASCII characters. RFC 7636 §4.1 allows fewer, but clients pad with `=`. Divergence: D-4. */
export function isCodeVerifier(text: string): boolean {
  return VERIFIER.test(text)
}

/** Whether the challenge is the digest of the verifier. Compares in constant time. RFC 7636 §4.6. */
export function verifies(challenge: string, hashOfVerifier: Hash): boolean {
  // A challenge has the form of a `Hash`: a SHA-256 digest in base64url.
  return sameHash(challenge as Hash, hashOfVerifier)
}
