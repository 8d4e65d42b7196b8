/** The keys that sign id_tokens and JWT access tokens. Interface SIGN. */
import type { KeyId } from "../kernel/ids.ts"

export const SIGNATURE_ALGORITHMS = ["RS256", "ES256"] as const
export type SignatureAlgorithm = (typeof SIGNATURE_ALGORITHMS)[number]

/**
 * `next` is published, but does not sign yet. `signing` signs. `former` signed until a new key did. `withdrawn` was
 * replaced at once, and is published no more. Each algorithm has at most one `next` and one `signing` key.
 */
export type KeyState = "next" | "signing" | "former" | "withdrawn"

export type SigningKey = {
  readonly kid: KeyId
  readonly algorithm: SignatureAlgorithm
  readonly state: KeyState
  /** The public key (RFC 7517 §4) as JSON, with `kid`, `alg` and `use`. */
  readonly publicJwk: string
  /** The private key (PKCS #8), sealed with the service secret. Null once it signs no more. */
  readonly sealedPrivate: string | null
  readonly madeAt: number
  /** When it began to sign, or when it may begin. */
  readonly signsFrom: number
  /** When it ended to sign. Null before. */
  readonly endedAt: number | null
}
