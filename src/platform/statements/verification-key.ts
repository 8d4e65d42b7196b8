/** Imports and uses public keys with `jose`, which is loaded when the first key is used. */
import type { CryptoKey } from "jose"
import type { Problem } from "../../kernel/result.ts"
import type { ClientKeys } from "../../model/clients/client.rules.ts"
import {
  algorithmsOf,
  type KeyAlgorithm,
  type PublicKey,
  readKeySet,
} from "../../model/clients/key-set.rules.ts"

/** Whether `jws` is a compact JWS that `key` signed with this algorithm. */
export async function isSignedBy(jws: string, key: PublicKey, algorithm: KeyAlgorithm): Promise<boolean> {
  const imported = await importedKey(key, algorithm)
  return imported !== null && isVerified(jws, imported, algorithm)
}

/** Whether `jws` is a compact JWS with an HMAC of this secret. */
export function isSealedBy(jws: string, secret: Uint8Array): Promise<boolean> {
  return isVerified(jws, secret, SECRET_ALGORITHM)
}

/** The only algorithm of a shared secret. No public key is ever used with it. RFC 8725 §2.1. */
export const SECRET_ALGORITHM = "HS256"

async function isVerified(
  jws: string,
  imported: CryptoKey | Uint8Array,
  algorithm: string,
): Promise<boolean> {
  const { compactVerify, errors } = await import("jose")
  try {
    await compactVerify(jws, imported, { algorithms: [algorithm] })
    return true
  } catch (error) {
    if (error instanceof errors.JOSEError) return false
    throw error
  }
}

/** Returns the problem of the first invalid key. Returns null if every key is valid. */
export async function keysProblem(keys: ClientKeys | null): Promise<Problem | null> {
  const jwks = keys?.jwks ?? null
  for (const [place, key] of (jwks === null ? [] : readKeySet(jwks)).entries()) {
    const [algorithm] = algorithmsOf(key)
    if (algorithm === undefined || (await importedKey(key, algorithm)) === null)
      return `Key ${place + 1} of jwks is not valid.`
  }
  return null
}

/** Returns the thumbprint of a key: RFC 7638. It depends only on the key material. */
export async function thumbprintOf(key: PublicKey): Promise<string> {
  const { calculateJwkThumbprint } = await import("jose")
  return calculateJwkThumbprint({ ...key })
}

/** The maximum number of cached keys. Importing a key takes about as long as checking a signature. */
const HELD_AT_MOST = 1000
const held = new Map<string, CryptoKey>()

/** Imports a key. Returns null if the key is invalid, such as a point that is not on its curve. */
async function importedKey(key: PublicKey, algorithm: KeyAlgorithm): Promise<CryptoKey | null> {
  const name = `${algorithm} ${JSON.stringify(key)}`
  const known = held.get(name)
  if (known !== undefined) return known
  const { importJWK } = await import("jose")
  const made = await importJWK({ ...key }, algorithm).catch(() => null)
  if (made === null || made instanceof Uint8Array) return null
  const [oldest] = held.keys()
  if (held.size >= HELD_AT_MOST && oldest !== undefined) held.delete(oldest)
  held.set(name, made)
  return made
}
