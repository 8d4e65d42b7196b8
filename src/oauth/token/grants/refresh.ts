/**
 * Refreshes a token pair: RFC 6749 §6.
 *
 * The new pair is derived from the presented token's secret and a rotation key. The key is deleted soon after (CRED-6).
 * A repeated request in the grace period therefore gets the same pair, but a copy of the database cannot reveal it.
 */
import { asPerson } from "../../../model/account.rules.ts"
import { decided } from "../../../model/change.rules.ts"
import { findImported } from "../../credential/imported-token.ts"
import { decideExchangeOfImported, importedCredential } from "./imported-refresh.rules.ts"
import { randomKey } from "../../../kernel/random.ts"
import { decideRefresh, type Refreshed, type RotationInput } from "./refresh.rules.ts"
import { type Result, ok } from "../../../kernel/result.ts"
import type { Refusal } from "../../../model/refusals/refusal.rules.ts"
import { halfMinuteOf, type RotationKeys } from "../../../model/rotation-key.rules.ts"
import type { RefreshRequest } from "./token-request.rules.ts"
import type { TokenPair, TokenResponse } from "../../credential/token-response.rules.ts"
import { networkOf } from "../../../kernel/network.ts"
import { type PresentedRefresh, readRefreshToken, successorPair } from "../../credential/token.ts"
import { authenticated, withAssertion } from "../../clients/authenticate-client.ts"
import type { Caller } from "../../clients/client-authentication.rules.ts"
import { type OnRepeat, spendAssertion } from "../../clients/spent-assertion.rules.ts"
import type { Services } from "../../../platform/services/services.ts"

type Needs = Pick<
  Services,
  "store" | "clock" | "catalog" | "settings" | "rotationKeys" | "tallies" | "resources" | "keys"
>

/** The refresh token of another service, and the key of the family that its exchange starts. MOVE-7. */
type Imported = NonNullable<Awaited<ReturnType<typeof findImported>>> & { readonly familyKey: string }

/** Refreshes a token pair. Refuses: every reason of client authentication and of `decideRefresh`. */
export async function refresh(
  services: Needs,
  caller: Caller,
  request: RefreshRequest,
  address: string,
): Promise<Result<TokenResponse, Refusal>> {
  const { clock, settings, rotationKeys, tallies } = services
  const token = readRefreshToken(request.refreshToken)
  // Tokens of this service need no other look-up.
  const imported = token === null ? await importedToken(services, request.refreshToken) : null
  const inForce = settings.current()
  const { accessSeconds } = inForce instanceof Promise ? await inForce : inForce
  // Waiting for the settings can take time, so the clock is read after that.
  const now = clock.now()
  const atHand = rotationKeys.at(now)
  const derivation: Derivation = {
    token: token ?? imported?.token ?? null,
    keys: atHand instanceof Promise ? await atHand : atHand,
    isKeyMissing: false,
  }
  const rotationInput = {
    now,
    address,
    networkOf,
    accessSeconds,
    successor: (rotatedAt: number, familyKey: string) => successorOf(derivation, rotatedAt, familyKey),
  }
  let answer = await changeFamily(services, caller, request, derivation.token, imported, rotationInput)
  if (derivation.isKeyMissing) {
    // Another node may have created the rotation key that is missing here.
    derivation.keys = await rotationKeys.load()
    answer = await changeFamily(services, caller, request, derivation.token, imported, rotationInput)
  }
  if (!answer.ok) return answer
  const { response, isRepeat } = answer.value
  tallies.count(isRepeat ? "credential.repeated" : "credential.refreshed", caller.presented.clientId)
  return ok(response)
}

async function importedToken(services: Needs, text: string): Promise<Imported | null> {
  const found = await findImported(services, text)
  return found === null ? null : { ...found, familyKey: randomKey() }
}

/** Authenticates the app, decides on the token and stores the next generation, in one change. */
function changeFamily(
  { store, catalog, resources: { spellingOf, jwtOf } }: Needs,
  caller: Caller,
  { scope, audience }: RefreshRequest,
  token: PresentedRefresh | null,
  found: Imported | null,
  rotationInput: RotationInput,
): Promise<Result<Refreshed, Refusal>> {
  const { now, address } = rotationInput
  const tokenId = token?.tokenId ?? null
  const load = {
    client: caller.presented.clientId,
    credential: tokenId,
    ownerOf: tokenId,
    importedToken: found?.imported.hash ?? null,
    account: found?.imported.userId ?? null,
  }
  return store.change(withAssertion(caller, load), (rows) => {
    const { client, credential: stored, ownerOf, importedToken: row, account } = rows
    const known = authenticated(client, caller, now)
    if (!known.ok) return decided<Result<Refreshed, Refusal>>(known)
    const imported = stored === null && row?.usedAt === null ? row : null
    const input = {
      client: known.value,
      credential:
        imported === null || found === null ? stored : importedCredential(imported, found.familyKey, now),
      account: imported === null ? ownerOf : asPerson(account),
      token,
      scope,
      audience,
      spellingOf,
      jwtOf,
    }
    const refreshed = decideRefresh(catalog, input, rotationInput)
    const judged = imported === null ? refreshed : decideExchangeOfImported(imported, refreshed, now, address)
    return spendAssertion(caller, rows, judged, answeredAgain)
  })
}

/** A request that repeats an assertion succeeds only if it receives the same pair again. */
const answeredAgain: OnRepeat<Refreshed> = (judged) =>
  judged.answer.ok && judged.answer.value.isRepeat ? judged : null

/** What the next pair is derived from. `isKeyMissing` says whether the last derivation lacked its rotation key. */
type Derivation = {
  readonly token: PresentedRefresh | null
  keys: RotationKeys
  isKeyMissing: boolean
}

function successorOf(derivation: Derivation, rotatedAt: number, familyKey: string): TokenPair | null {
  const { token, keys } = derivation
  const rotationKey = keys.get(halfMinuteOf(rotatedAt))
  derivation.isKeyMissing = rotationKey === undefined
  if (rotationKey === undefined) return null
  if (token === null) throw new Error("a text that is no refresh token has no successor")
  return successorPair(token, rotationKey, familyKey)
}
