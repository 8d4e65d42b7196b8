import type { ClientId, Hash, TokenId, UserId } from "../../kernel/ids.ts"
import { CREDENTIAL_SECONDS } from "../../kernel/limits.ts"
import { newId } from "../../kernel/random.ts"
import { hydraHash } from "../../oauth/credential/imported-token.ts"
import type { ImportedToken } from "../../model/moved/import.rules.ts"
import { jsonLines } from "./json-file.ts"
import type { Moved, MovedToken } from "./moved.rules.ts"
import { NotTheFile } from "./not-the-file.ts"
import { parseTokenLine } from "./tokens.rules.ts"

export async function* readTokens(pieces: AsyncIterable<string>, isHydra: boolean): AsyncGenerator<Moved> {
  for await (const { value, number } of jsonLines(pieces)) {
    const token = parseTokenLine(value, isHydra)
    if (!token.ok) throw new NotTheFile(`line ${number}: ${token.error}`)
    yield { kind: "token", token: token.value, skipped: [] }
  }
}

/** Returns the key of the row of a token. */
export function hashOfToken({ digest: hex, signature }: MovedToken): Hash {
  if (signature !== null) return hydraHash(signature)
  return Buffer.from(hex ?? "", "hex").toString("base64url") as Hash
}

/** A credential ends with the token, at most a year after the import. */
export function importedTokenOf(
  token: MovedToken,
  scope: ImportedToken["scope"],
  importId: number,
  now: number,
): ImportedToken {
  return {
    hash: hashOfToken(token),
    importId,
    tokenId: newId<TokenId>(now),
    clientId: token.clientId as ClientId,
    userId: token.userId as UserId,
    scope,
    endsAt: Math.min(token.endsAt, now + CREDENTIAL_SECONDS),
    usedAt: null,
  }
}
