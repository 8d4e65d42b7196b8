/**
 * A refresh: RFC 6749 §6. One change authenticates the app, judges the token and stores the next generation.
 *
 * The successor is derived from the presented token's own secret, so that a repeated request inside the grace window
 * yields the same pair, and the database alone cannot make it.
 */
import { decided } from "../core/change.ts"
import { decideRefresh } from "../core/refresh.ts"
import type { Result } from "../core/result.ts"
import type { RefreshRequest } from "../core/token-request.ts"
import type { TokenPair, TokenResponse } from "../core/token-response.ts"
import { randomKey } from "../system/random.ts"
import { type PresentedRefresh, readRefreshToken, successorPair } from "../system/token.ts"
import { authenticated, type Caller } from "./client.ts"
import type { Latchkey } from "./latchkey.ts"

/** Refuses: what client authentication refuses, and all of `decideRefresh`. */
export async function refresh(
  {
    store,
    clock,
    catalogue,
    settings,
    tallies,
  }: Pick<Latchkey, "store" | "clock" | "catalogue" | "settings" | "tallies">,
  caller: Caller,
  request: RefreshRequest,
  address: string,
): Promise<Result<TokenResponse>> {
  const token = readRefreshToken(request.refreshToken)
  const tokenId = token?.tokenId ?? null
  const inForce = settings.current()
  const { accessSeconds } = inForce instanceof Promise ? await inForce : inForce
  const succession = {
    // Read last: of two requests the one that is decided first has the earlier time.
    now: clock.now(),
    address,
    accessSeconds,
    nonce: randomKey(),
    successor: (nonce: string, familyKey: string) => successorOf(token, nonce, familyKey),
  }
  let isRotated = false
  const answer = await store.change(
    { client: caller.presented.clientId, credential: tokenId, ownerOf: tokenId },
    ({ client, credential, ownerOf }) => {
      const known = authenticated(client, caller, succession.now)
      if (!known.ok) return decided<Result<TokenResponse>>(known)
      const asked = { client: known.value, credential, account: ownerOf, token, asked: request.asked }
      const refreshed = decideRefresh(catalogue, asked, succession)
      // Inside the grace window the same pair is answered again, and nothing is written.
      isRotated = refreshed.changes.length > 0
      return refreshed
    },
  )
  if (answer.ok)
    tallies.count(isRotated ? "credential.refreshed" : "credential.repeated", caller.presented.clientId)
  return answer
}

function successorOf(token: PresentedRefresh | null, nonce: string, familyKey: string): TokenPair {
  if (token === null) throw new Error("a text that is no refresh token has no successor")
  return successorPair(token, nonce, familyKey)
}
