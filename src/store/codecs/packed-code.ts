/**
 * An authorization code in one packed column. Once it is redeemed only its digest is asked for, to know a replay for what
 * it is: challenge and redirect address go with the exchange. docs/storage.md has the layout.
 */
import type { Hash } from "../../kernel/ids.ts"
import type { Code } from "../../records/credential.rules.ts"
import { DIGEST_LETTERS, digestLetters, encodeUint6, decodeUint6, pack, tailAt, unpack } from "./sextets.ts"

const VERSION = 1
const HEAD = 4
const HASH = DIGEST_LETTERS + 1

const IS_REDEEMED = 1

/** The packed part of a code; the rest has its own columns. */
export type PackedCode = Omit<Code, "expiresAt">

export function codeBytes(code: PackedCode, isRedeemed: boolean): Uint8Array {
  const head = `${encodeUint6(VERSION)}${encodeUint6(isRedeemed ? IS_REDEEMED : 0)}AA${digestLetters(code.hash)}A`
  return isRedeemed ? pack(head) : pack(`${head}${digestLetters(code.challenge)}A`, code.redirectUri)
}

/** Challenge and redirect URI are empty once the code is redeemed. */
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
