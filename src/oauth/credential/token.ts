/**
 * The format of tokens: a prefix that names the kind, a body and a checksum. Secret scanners find the prefix. The
 * checksum rejects a typo without a lookup.
 *
 *   lka_ access          token id (26) · secret (43) · MAC (11)               · checksum (6)
 *   lkc_ code            token id (26) · secret (43)                          · checksum (6)
 *   lkd_ device code     grant id (26) · secret (43)                          · checksum (6)
 *   lkr_ refresh         token id (26) · generation (6) · secret (43) · MAC (11) · checksum (6)
 *   lks_ client secret                   secret (43)                          · checksum (6)
 *
 * A secret has 256 bits. The service stores the digest of the whole token. The MAC uses a key of the credential's
 * row. It proves that the service issued the token (RFC 9700 §4.14.2, REV-6), but gives no access. Access tokens of
 * earlier versions have no MAC.
 */
import { crc32 } from "node:zlib"
import type { GrantId, Hash, TokenId } from "../../kernel/ids.ts"
import { sameCharacters } from "../../kernel/constant-time.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import type { PresentedAccessToken } from "./presented-token.rules.ts"
import type { PresentedRefreshToken } from "./refresh-token.rules.ts"
import type { TokenPair } from "./token-response.rules.ts"
import { digest, wideDigest } from "../../kernel/hash.ts"
import { randomSecret } from "../../kernel/random.ts"

type Prefix = "lka_" | "lkr_" | "lkc_" | "lkd_" | "lks_"

const ID_LENGTH = 26
const GENERATION_LENGTH = 6
const SECRET_LENGTH = 43
const MAC_LENGTH = 11
const CHECKSUM_LENGTH = 6

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

export type PresentedToken = { readonly tokenId: TokenId; readonly hash: Hash }

export type PresentedAccess = PresentedToken & PresentedAccessToken

export type PresentedRefresh = PresentedToken & PresentedRefreshToken & { readonly secret: string }

type NewSecret = { readonly text: string; readonly hash: Hash }

export function newCode(tokenId: TokenId): NewSecret {
  return sealed("lkc_", tokenId + randomSecret())
}

export function newDeviceCode(grantId: GrantId): NewSecret {
  return sealed("lkd_", grantId + randomSecret())
}

export function newClientSecret(): NewSecret {
  return sealed("lks_", randomSecret())
}

/** The first pair of a credential. `familyKey` is the fresh key of its row. */
export function firstPair(tokenId: TokenId, familyKey: string): TokenPair {
  return pair(tokenId, 1, randomSecret(), randomSecret(), familyKey)
}

/**
 * Derives the pair that follows `retired`. The same rotation key derives the same pair, so that a lost response can be
 * repeated. Both the retired token and the rotation key are needed (CRED-6).
 *
 * Both inputs have full entropy and a fixed length. A plain digest is therefore as good as HMAC here (NIST SP 800-56C
 * §4.1), and takes a fifth of the time. Each half of the digest is a secret of at least 254 bits.
 */
export function successorPair(retired: PresentedRefresh, rotationKey: string, familyKey: string): TokenPair {
  const secrets = wideDigest(`successor ${rotationKey} ${retired.secret}`)
  return pair(
    retired.tokenId,
    retired.generation + 1,
    secrets.slice(0, SECRET_LENGTH),
    secrets.slice(SECRET_LENGTH),
    familyKey,
  )
}

function pair(
  tokenId: TokenId,
  generation: number,
  accessSecret: string,
  refreshSecret: string,
  familyKey: string,
): TokenPair {
  const access = accessToken(tokenId, accessSecret, familyKey)
  const refreshBody = tokenId + generation.toString(36).padStart(GENERATION_LENGTH, "0") + refreshSecret
  const refresh = sealed("lkr_", refreshBody + mac("issued", refreshBody, familyKey))
  return {
    accessToken: access.text,
    accessHash: access.hash,
    refreshToken: refresh.text,
    refreshHash: refresh.hash,
  }
}

/** `secret` is random or derived. A retried change passes the same secret, so it builds the same token. */
export function accessToken(tokenId: TokenId, secret: string, familyKey: string): NewSecret {
  const body = tokenId + secret
  return sealed("lka_", body + mac("access", body, familyKey))
}

export function readAccessToken(text: string): PresentedAccess | null {
  const body = unsealed("lka_", text, ID_LENGTH + SECRET_LENGTH + MAC_LENGTH)
  if (body === null) {
    const old = readPlain("lka_", text)
    return old === null ? null : { ...old, isGenuine: () => false }
  }
  const tokenId = body.slice(0, ID_LENGTH)
  return isIdentifier(tokenId)
    ? { tokenId: tokenId as TokenId, hash: digest(text), isGenuine: genuine("access", body) }
    : null
}

export function readCode(text: string): PresentedToken | null {
  return readPlain("lkc_", text)
}

export function readDeviceCode(text: string): { readonly grantId: GrantId; readonly hash: Hash } | null {
  const read = readPlain("lkd_", text)
  return read === null ? null : { grantId: read.tokenId as string as GrantId, hash: read.hash }
}

export function readRefreshToken(text: string): PresentedRefresh | null {
  const body = unsealed("lkr_", text, ID_LENGTH + GENERATION_LENGTH + SECRET_LENGTH + MAC_LENGTH)
  if (body === null) return null
  const tokenId = body.slice(0, ID_LENGTH)
  const digits = body.slice(ID_LENGTH, ID_LENGTH + GENERATION_LENGTH)
  if (!isIdentifier(tokenId) || !/^[0-9a-z]+$/.test(digits)) return null
  return {
    tokenId: tokenId as TokenId,
    generation: Number.parseInt(digits, 36),
    secret: body.slice(-MAC_LENGTH - SECRET_LENGTH, -MAC_LENGTH),
    hash: digest(text),
    isGenuine: genuine("issued", body),
  }
}

function readPlain(prefix: Prefix, text: string): PresentedToken | null {
  const body = unsealed(prefix, text, ID_LENGTH + SECRET_LENGTH)
  if (body === null) return null
  const tokenId = body.slice(0, ID_LENGTH)
  return isIdentifier(tokenId) ? { tokenId: tokenId as TokenId, hash: digest(text) } : null
}

/** The prefix of the MAC input. Each kind of token has its own. Refresh tokens use "issued". */
type MacKind = "access" | "issued"

/**
 * Returns a quarter of the digest of key and message. HMAC is not needed, because a length extension attack fails here.
 * Key and message have fixed lengths, and the other three quarters of the digest stay secret.
 */
function mac(kind: MacKind, signed: string, familyKey: string): string {
  return digest(`${kind} ${familyKey} ${signed}`).slice(0, MAC_LENGTH)
}

/** Returns a function that checks the MAC at the end of `body`. The parameter of the function is a family key. */
function genuine(kind: MacKind, body: string): (familyKey: string) => boolean {
  const signed = body.slice(0, -MAC_LENGTH)
  return (familyKey) => sameCharacters(mac(kind, signed, familyKey), body.slice(-MAC_LENGTH))
}

function sealed(prefix: Prefix, body: string): NewSecret {
  const text = prefix + body + checksum(prefix + body)
  return { text, hash: digest(text) }
}

function unsealed(prefix: Prefix, text: string, bodyLength: number): string | null {
  if (text.length !== prefix.length + bodyLength + CHECKSUM_LENGTH || !text.startsWith(prefix)) return null
  const signed = text.slice(0, -CHECKSUM_LENGTH)
  return checksum(signed) === text.slice(-CHECKSUM_LENGTH) ? signed.slice(prefix.length) : null
}

/** Returns a CRC-32 as six characters of base64url. The last character contains two bits. */
function checksum(text: string): string {
  const crc = crc32(text)
  let letters = ""
  for (const shift of [26, 20, 14, 8, 2]) letters += BASE64URL.charAt((crc >>> shift) & 63)
  return letters + BASE64URL.charAt((crc & 3) << 4)
}
