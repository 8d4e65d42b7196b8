/**
 * Finds a refresh token of another service (MOVE-7). Only a text that is not in this service's own form is looked up.
 *
 * Tokens of Ory Hydra are a key and a MAC. Their row has only the MAC, so the MAC is computed from the presented key
 * before the row is used. Older versions of Hydra use HMAC-SHA-256, newer ones HMAC-SHA-512/256.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { digest } from "../../kernel/hash.ts"
import type { Keys } from "../../kernel/keys.ts"
import type { Hash } from "../../kernel/ids.ts"
import { sealedThings } from "../../model/sealed.rules.ts"
import type { ImportedToken } from "../../model/moved/import.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import type { PresentedRefresh } from "./token.ts"

type FoundImported = { readonly imported: ImportedToken; readonly token: PresentedRefresh }

/** The key and the MAC of a Hydra token, each in base64url. */
const HYDRA = /^(?:ory_rt_)?([A-Za-z0-9_-]{16,512})\.([A-Za-z0-9_-]{43})$/

const LENGTH_AT_MOST = 4096

/** The purpose for which the key of an import is encrypted. */
export const SEALED_KEY = sealedThings.importKey.purpose()

/**
 * Returns the digest by which the row of a Hydra token is found. The function is another than that of whole tokens.
 * With the same one, a text made from the MAC alone would find the row without its key.
 */
export function hydraHash(signature: string): Hash {
  return createHash("sha512-256").update(signature).digest("base64url") as Hash
}

/**
 * Finds the row of a presented text. The token then counts as the first generation of its credential, so that a refresh
 * rotates it, repeats the pair within a minute, and later detects reuse, as for any other token.
 */
export async function findImported(
  { store, keys }: Pick<Services, "store" | "keys">,
  text: string,
): Promise<FoundImported | null> {
  if (text.startsWith("lkr_") || text.length > LENGTH_AT_MOST) return null
  const imported = (await rowOf(store, digest(text))) ?? (await hydraRow(store, keys, text))
  if (imported === null) return null
  const secret = digest(`imported secret ${text}`)
  const { tokenId, hash } = imported
  return { imported, token: { tokenId, generation: 1, secret, hash, isGenuine: () => true } }
}

async function rowOf(store: Services["store"], hash: Hash): Promise<ImportedToken | null> {
  return (await store.read({ importedToken: hash })).importedToken
}

async function hydraRow(store: Services["store"], keys: Keys, text: string): Promise<ImportedToken | null> {
  const [, key, signature] = HYDRA.exec(text) ?? []
  if (key === undefined || signature === undefined) return null
  const row = await rowOf(store, hydraHash(signature))
  if (row === null) return null
  const { import: source } = await store.read({ import: row.importId })
  const sealed = source?.sealedSecret ?? null
  const secret = sealed === null ? null : keys.openStored(SEALED_KEY, sealed)
  return secret !== null && isSigned(key, signature, secret) ? row : null
}

/** `secret` is the hashed system secret in base64url. */
function isSigned(key: string, signature: string, secret: string): boolean {
  const presented = Buffer.from(signature, "base64url")
  return ["sha512-256", "sha256"].some((algorithm) => {
    const mac = createHmac(algorithm, Buffer.from(secret, "base64url"))
    return timingSafeEqual(mac.update(Buffer.from(key, "base64url")).digest(), presented)
  })
}
