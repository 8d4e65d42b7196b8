/**
 * A refresh: RFC 6749 §6. One change authenticates the app, judges the token and stores the next generation.
 *
 * The successor is derived from the presented token's secret and a rotation key that is deleted soon after (CRED-6). A
 * repeated request in the grace period yields the same pair, and the database alone cannot derive it.
 */
import { decided } from "../../../records/change.rules.ts"
import { decideRefresh, type Refreshed } from "./refresh.rules.ts"
import { type Result, ok } from "../../../kernel/result.ts"
import type { Refusal } from "../../refusal.rules.ts"
import { halfMinuteOf } from "../../../records/rotation-key.rules.ts"
import type { RefreshRequest } from "./token-request.rules.ts"
import type { TokenPair, TokenResponse } from "../../credential/token-response.rules.ts"
import { networkOf } from "../../../kernel/network.ts"
import { type PresentedRefresh, readRefreshToken, successorPair } from "../../credential/token.ts"
import { authenticated, type Caller } from "../../clients/authenticate-client.ts"
import type { Services } from "../../../services/services.ts"

/** Refuses: what client authentication refuses, and all of `decideRefresh`. */
export async function refresh(
  {
    store,
    clock,
    catalogue,
    settings,
    rotationKeys,
    tallies,
  }: Pick<Services, "store" | "clock" | "catalogue" | "settings" | "rotationKeys" | "tallies">,
  caller: Caller,
  request: RefreshRequest,
  address: string,
): Promise<Result<TokenResponse, Refusal>> {
  const token = readRefreshToken(request.refreshToken)
  const tokenId = token?.tokenId ?? null
  const inForce = settings.current()
  const { accessSeconds } = inForce instanceof Promise ? await inForce : inForce
  // Read last, so that the request that is decided first has the earlier time.
  const now = clock.now()
  const atHand = rotationKeys.at(now)
  let keys = atHand instanceof Promise ? await atHand : atHand
  let isKeyMissing = false
  const rotationInput = {
    now,
    address,
    networkOf,
    accessSeconds,
    successor: (rotatedAt: number, familyKey: string) => {
      const key = keys.get(halfMinuteOf(rotatedAt))
      isKeyMissing = key === undefined
      return key === undefined ? null : successorOf(token, key, familyKey)
    },
  }
  const decide = () =>
    store.change(
      { client: caller.presented.clientId, credential: tokenId, ownerOf: tokenId },
      ({ client, credential, ownerOf }) => {
        const known = authenticated(client, caller, now)
        if (!known.ok) return decided<Result<Refreshed, Refusal>>(known)
        const asked = { client: known.value, credential, account: ownerOf, token, asked: request.asked }
        return decideRefresh(catalogue, asked, rotationInput)
      },
    )
  let answer = await decide()
  if (isKeyMissing) {
    // Another node may have created it in the meantime.
    keys = await rotationKeys.load()
    answer = await decide()
  }
  if (!answer.ok) return answer
  const { response, isRepeat } = answer.value
  tallies.count(isRepeat ? "credential.repeated" : "credential.refreshed", caller.presented.clientId)
  return ok(response)
}

function successorOf(token: PresentedRefresh | null, rotationKey: string, familyKey: string): TokenPair {
  if (token === null) throw new Error("a text that is no refresh token has no successor")
  return successorPair(token, rotationKey, familyKey)
}
