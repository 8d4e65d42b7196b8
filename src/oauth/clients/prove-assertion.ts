/** Verifies the assertion of a client that has keys, before any change. `client-assertion.rules.ts` lists the order. */
import { digest } from "../../kernel/hash.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Services } from "../../platform/services/services.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { type Assertion, judgeClaims } from "./client-assertion.rules.ts"
import type { Caller } from "./client-authentication.rules.ts"
import { findKey } from "./client-keys.ts"
import { readClient } from "./resolve.ts"
import { isSignedBy } from "./verification-key.ts"

type Needs = Pick<Services, "store" | "clock" | "issuer" | "outgoing" | "log" | "settings">

/** Refuses: clientUnknown, clientHasNoKey, assertionSignatureWrong, every reason of `findKey` and `judgeClaims`. */
export async function proveAssertion(
  services: Needs,
  caller: Caller,
  assertion: Assertion,
  { endpoint, body }: { readonly endpoint: string; readonly body: string },
): Promise<Result<Caller, Refusal>> {
  const { clientId } = assertion
  const client = await readClient(services, clientId)
  if (client === null) return err({ reason: "clientUnknown" })
  if (client.keys === null) return err({ reason: "clientHasNoKey" })
  const chosen = await findKey(services, client, client.keys, assertion)
  if (!chosen.ok) return chosen
  const { key, algorithm } = chosen.value
  if (!(await isSignedBy(assertion.jwt, key, algorithm))) return err({ reason: "assertionSignatureWrong" })
  const now = services.clock.now()
  const claims = judgeClaims(assertion, services.issuer, now)
  if (!claims.ok) return claims
  const { jti, overAt } = claims.value
  const spent = {
    assertionHash: digest(`assertion ${clientId} ${endpoint} ${jti}`),
    bodyHash: digest(body),
    deleteAfter: overAt,
  }
  return ok({ ...caller, proof: { keys: client.keys, spent, provenAt: now } })
}
