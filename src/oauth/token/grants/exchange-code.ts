/**
 * Exchanges an authorization code: RFC 6749 §4.1.3.
 *
 * One change authenticates the app, checks the code and stores the tokens. If several exchanges of a code run
 * concurrently, at most one returns tokens.
 */
import { decided } from "../../../model/change.rules.ts"
import { decideExchange, type ExchangeProof } from "./exchange.rules.ts"
import { isCodeVerifier } from "../../credential/pkce.rules.ts"
import { type Result, err, ok } from "../../../kernel/result.ts"
import type { Refusal } from "../../../model/refusals/refusal.rules.ts"
import type { CodeProof, CodeRequest } from "./token-request.rules.ts"
import type { TokenResponse } from "../../credential/token-response.rules.ts"
import { digest } from "../../../kernel/hash.ts"
import { newId, randomKey } from "../../../kernel/random.ts"
import { settleRemembered } from "./remembered-code.ts"
import type { Credential } from "../../../model/credential.rules.ts"
import { firstPair, readCode } from "../../credential/token.ts"
import { authenticated, withAssertion } from "../../clients/authenticate-client.ts"
import type { Caller } from "../../clients/client-authentication.rules.ts"
import { type OnRepeat, spendAssertion } from "../../clients/spent-assertion.rules.ts"
import type { Services } from "../../../platform/services/services.ts"
import type { TokenId } from "../../../kernel/ids.ts"

/** Exchanges a code for tokens. Refuses: every reason of client authentication and of `decideExchange`. */
export async function exchangeCode(
  {
    store,
    clock,
    catalog,
    settings,
    resources: { spellingOf, jwtOf },
  }: Pick<Services, "store" | "clock" | "catalog" | "settings" | "resources">,
  caller: Caller,
  request: CodeRequest,
  address: string,
): Promise<Result<TokenResponse, Refusal>> {
  const code = readCode(request.code)
  const inForce = settings.current()
  const { accessSeconds } = inForce instanceof Promise ? await inForce : inForce
  const now = clock.now()
  const tokenId = code?.tokenId ?? newId<TokenId>(now)
  const familyKey = randomKey()
  const issueInput = {
    now,
    address,
    accessSeconds,
    familyKey,
    pair: firstPair(tokenId, familyKey),
  }
  const proof = digested(request.proof)
  const codeHash = code?.hash ?? digest(request.code)
  const codeOf = code?.tokenId ?? null
  let exchanged = null as Credential | null
  const answer = await store.change(
    withAssertion(caller, { client: caller.presented.clientId, credential: codeOf, ownerOf: codeOf }),
    (found) => {
      const { client, credential, ownerOf } = found
      exchanged = credential
      const known = authenticated(client, caller, now)
      if (!known.ok) return decided<Result<TokenResponse, Refusal>>(known)
      const exchange = {
        client: known.value,
        credential,
        account: ownerOf,
        codeHash,
        proof,
        audience: request.audience,
        spellingOf,
        jwtOf,
      }
      const judged = decideExchange(catalog, exchange, issueInput)
      return spendAssertion(caller, found, judged, replayed)
    },
  )
  if (!answer.ok || exchanged === null || exchanged.consent.openid === null) return answer
  if (await settleRemembered({ store, clock }, exchanged)) return answer
  return err({ reason: "codeVoid", tokenId })
}

/** A request that repeats an assertion receives the error of its exchange, but never tokens. CODE-3. */
const replayed: OnRepeat<TokenResponse> = (judged) => (judged.answer.ok ? null : judged)

function digested(proof: Result<CodeProof, Refusal>): Result<ExchangeProof, Refusal> {
  if (!proof.ok) return proof
  const { redirectUri, codeVerifier } = proof.value
  return ok({ redirectUri, verifierHash: isCodeVerifier(codeVerifier) ? digest(codeVerifier) : null })
}
