/** The check behind every protected address: what does this access token reach, at this moment? RFC 6750 §2.1. */
import { type Bearer, decideBearer } from "../core/bearer.ts"
import { refuse, type Result } from "../core/result.ts"
import { readAccessToken } from "../system/token.ts"
import type { Latchkey } from "./latchkey.ts"

/** Reads without a lock; only an end that is told for the first time is written. Refuses: accessTokenInvalid. */
export async function checkBearer(
  { store, clock, catalogue }: Pick<Latchkey, "store" | "clock" | "catalogue">,
  text: string,
): Promise<Result<Bearer>> {
  const token = readAccessToken(text)
  if (token === null) return refuse({ reason: "accessTokenInvalid" })
  const { tokenId, hash } = token
  const load = { credential: tokenId, appOf: tokenId, ownerOf: tokenId }
  const now = clock.now()
  const found = await store.read(load)
  const seen = decideBearer(catalogue, { ...found, client: found.appOf, account: found.ownerOf, hash }, now)
  if (seen.changes.length === 0) return seen.answer
  return store.change(load, ({ credential, appOf, ownerOf }) =>
    decideBearer(catalogue, { credential, client: appOf, account: ownerOf, hash }, now),
  )
}
