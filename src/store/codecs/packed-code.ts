/**
 * Encodes an authorization code as one packed column. After the exchange, the column contains only the digest, which
 * identifies a replay. docs/storage.md describes the layout.
 */
import type { Hash } from "../../kernel/ids.ts"
import type { Code } from "../../model/credential.rules.ts"
import { DIGEST_LETTERS, digestLetters, encodeUint6, decodeUint6, pack, tailAt, unpack } from "./sextets.ts"

const VERSION = 1
const HEAD = 4
const HASH = DIGEST_LETTERS + 1

const IS_REDEEMED = 1

/** The packed part of a code. The expiry has its own column. */
export type PackedCode = Omit<Code, "expiresAt">

export function codeBytes(code: PackedCode, isRedeemed: boolean): Uint8Array {
  const head = `${encodeUint6(VERSION)}${encodeUint6(isRedeemed ? IS_REDEEMED : 0)}AA${digestLetters(code.hash)}A`
  return isRedeemed ? pack(head) : pack(`${head}${digestLetters(code.challenge)}A`, code.redirectUri)
}

/** Decodes a code. The challenge and the redirect URI are empty after the exchange. */
export function codeFrom(bytes: Uint8Array): PackedCode {
  const letters = unpack(bytes)
  const version = decodeUint6(letters, 0)
  if (version !== VERSION) throw new Error(`a code is packed as version ${version}, which does not exist`)
  const hash = letters.slice(HEAD, HEAD + DIGEST_LETTERS) as Hash
  if (isRedeemedCode(letters)) return { hash, challenge: "", redirectUri: "" }
  const challengeAt = HEAD + HASH
  if (letters.length < challengeAt + HASH) throw new Error("a packed code is cut short")
  return {
    hash,
    challenge: letters.slice(challengeAt, challengeAt + DIGEST_LETTERS),
    redirectUri: tailAt(bytes, challengeAt + HASH),
  }
}

function isRedeemedCode(letters: string): boolean {
  return (decodeUint6(letters, 1) & IS_REDEEMED) !== 0
}
