/**
 * Refreshes a token pair: RFC 6749 §6. One change authenticates the app, checks the token and stores the next
 * generation.
 *
 * The new pair is derived from the presented token's secret and a rotation key. The key is deleted soon after (CRED-6).
 * A repeated request in the grace period therefore gets the same pair, but a copy of the database cannot reveal the
 * pair.
 */
import { asPerson } from "../../../model/account.rules.ts"
import { decided } from "../../../model/change.rules.ts"
import { findImported } from "../../credential/imported-token.ts"
import { decideExchangeOfImported, importedCredential } from "./imported-refresh.rules.ts"
import { randomKey } from "../../../kernel/random.ts"
import { decideRefresh, type Refreshed } from "./refresh.rules.ts"
import { type Result, ok } from "../../../kernel/result.ts"
import type { Refusal } from "../../../model/refusals/refusal.rules.ts"
import { halfMinuteOf } from "../../../model/rotation-key.rules.ts"
import type { RefreshRequest } from "./token-request.rules.ts"
import type { TokenPair, TokenResponse } from "../../credential/token-response.rules.ts"
import { knownResources } from "../../credential/audience.rules.ts"
import { networkOf } from "../../../kernel/network.ts"
import { type PresentedRefresh, readRefreshToken, successorPair } from "../../credential/token.ts"
import { authenticated, withAssertion } from "../../clients/authenticate-client.ts"
import type { Caller } from "../../clients/client-authentication.rules.ts"
import { type OnRepeat, spendAssertion } from "../../clients/spent-assertion.rules.ts"
import type { Services } from "../../../platform/services/services.ts"

/** Refreshes a token pair. Refuses: every reason of client authentication and of `decideRefresh`. */
export async function refresh(
  {
    store,
    clock,
    catalog,
    settings,
    rotationKeys,
    tallies,
    issuer,
    resourceServers,
    keys: serviceKeys,
  }: Pick<
    Services,
    | "store"
    | "clock"
    | "catalog"
    | "settings"
    | "rotationKeys"
    | "tallies"
    | "issuer"
    | "resourceServers"
    | "keys"
  >,
  caller: Caller,
  request: RefreshRequest,
  address: string,
): Promise<Result<TokenResponse, Refusal>> {
  const own = readRefreshToken(request.refreshToken)
  // Tokens of this service need no other look-up.
  const found = own === null ? await findImported({ store, keys: serviceKeys }, request.refreshToken) : null
  const newFamilyKey = found === null ? null : randomKey()
  const token = own ?? found?.token ?? null
  const tokenId = token?.tokenId ?? null
  const inForce = settings.current()
  const { accessSeconds } = inForce instanceof Promise ? await inForce : inForce
  // Waiting for the settings can take time, so the clock is read after that.
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
  const { audience } = request
  const isKnownResource = knownResources({ issuer, resourceServers })
  const decide = () =>
    store.change(
      withAssertion(caller, {
        client: caller.presented.clientId,
        credential: tokenId,
        ownerOf: tokenId,
        importedToken: found?.imported.hash ?? null,
        account: found?.imported.userId ?? null,
      }),
      (rows) => {
        const { client, credential: stored, ownerOf, importedToken, account } = rows
        const known = authenticated(client, caller, now)
        if (!known.ok) return decided<Result<Refreshed, Refusal>>(known)
        const imported = stored === null && importedToken?.usedAt === null ? importedToken : null
        const credential =
          imported === null || newFamilyKey === null
            ? stored
            : importedCredential(imported, newFamilyKey, now)
        const presented = {
          client: known.value,
          credential,
          account: imported === null ? ownerOf : asPerson(account),
          token,
          scope: request.scope,
          audience,
          isKnownResource,
        }
        const refreshed = decideRefresh(catalog, presented, rotationInput)
        const judged =
          imported === null ? refreshed : decideExchangeOfImported(imported, refreshed, now, address)
        return spendAssertion(caller, rows, judged, answeredAgain)
      },
    )
  let answer = await decide()
  if (isKeyMissing) {
    // Another node may have created the rotation key that is missing here.
    keys = await rotationKeys.load()
    answer = await decide()
  }
  if (!answer.ok) return answer
  const { response, isRepeat } = answer.value
  tallies.count(isRepeat ? "credential.repeated" : "credential.refreshed", caller.presented.clientId)
  return ok(response)
}

/** A request that repeats an assertion succeeds only if it receives the same pair again. */
const answeredAgain: OnRepeat<Refreshed> = (judged) =>
  judged.answer.ok && judged.answer.value.isRepeat ? judged : null

function successorOf(token: PresentedRefresh | null, rotationKey: string, familyKey: string): TokenPair {
  if (token === null) throw new Error("a text that is no refresh token has no successor")
  return successorPair(token, rotationKey, familyKey)
}
