/** Tokens that were never issued. */
import { randomBytes } from "node:crypto"
import type { TokenId } from "../../src/kernel/ids.ts"
import { newId } from "../../src/kernel/random.ts"
import { firstPair } from "../../src/oauth/credential/token.ts"

/** Returns a text with the form of an access token, including its checksum. */
export function wellFormed(): string {
  return firstPair(newId<TokenId>(1_800_000_000), randomBytes(32).toString("base64url")).accessToken
}
