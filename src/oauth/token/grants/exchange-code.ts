/**
 * The exchange of an authorization code: RFC 6749 §4.1.3.
 *
 * One change authenticates the app, checks the code and stores the tokens. Of a hundred exchanges at once, one gets
 * tokens.
 */
import { decided } from "../../../records/change.rules.ts"
import { decideExchange, type ExchangeProof } from "./exchange.rules.ts"
import { isCodeVerifier } from "../../credential/pkce.rules.ts"
import { type Result, ok } from "../../../kernel/result.ts"
import type { Refusal } from "../../refusal.rules.ts"
import type { CodeProof, CodeRequest } from "./token-request.rules.ts"
import type { TokenResponse } from "../../credential/token-response.rules.ts"
import { digest } from "../../../kernel/hash.ts"
import { newId, randomKey } from "../../../kernel/random.ts"
import { firstPair, readCode } from "../../credential/token.ts"
import { authenticated, type Caller } from "../../clients/authenticate-client.ts"
import type { Services } from "../../../services/services.ts"
import type { TokenId } from "../../../kernel/ids.ts"

/** Refuses: what client authentication refuses, and all of `decideExchange`. */
export async function exchangeCode(
  { store, clock, catalogue, settings }: Pick<Services, "store" | "clock" | "catalogue" | "settings">,
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
  return store.change(
    { client: caller.presented.clientId, credential: code?.tokenId ?? null, ownerOf: code?.tokenId ?? null },
    ({ client, credential, ownerOf }) => {
      const known = authenticated(client, caller, now)
      if (!known.ok) return decided<Result<TokenResponse, Refusal>>(known)
      const exchange = {
        client: known.value,
        credential,
        account: ownerOf,
        codeHash,
        proof,
      }
      return decideExchange(catalogue, exchange, issueInput)
    },
  )
}

function digested(proof: Result<CodeProof, Refusal>): Result<ExchangeProof, Refusal> {
  if (!proof.ok) return proof
  const { redirectUri, codeVerifier } = proof.value
  return ok({ redirectUri, verifierHash: isCodeVerifier(codeVerifier) ? digest(codeVerifier) : null })
}
