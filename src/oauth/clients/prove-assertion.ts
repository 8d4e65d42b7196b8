/** Verifies the assertion of a client that has keys, before any change. */
import { type Result, err, ok } from "../../kernel/result.ts"
import { SIGNING_ALGORITHMS } from "../../model/clients/client.rules.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import { judgeClaims } from "../../platform/statements/judge.rules.ts"
import { proveStatement } from "../../platform/statements/prove.ts"
import { spendingOf } from "../../platform/statements/spend.ts"
import { type Assertion, assertionRefusal, expectedOf, strangerProblem } from "./client-assertion.rules.ts"
import type { Caller } from "./client-authentication.rules.ts"
import { clientKeySource } from "./client-keys.ts"
import { readClient } from "./resolve.ts"

type Needs = Pick<Services, "store" | "clock" | "issuer" | "outgoing" | "log" | "settings">

/** Refuses: clientUnknown, clientHasNoKey, every reason of `strangerProblem` and `assertionRefusal`. */
export async function proveAssertion(
  services: Needs,
  caller: Caller,
  assertion: Assertion,
  { endpoint, body }: { readonly endpoint: string; readonly body: string },
): Promise<Result<Caller, Refusal>> {
  const { clientId } = assertion
  const client = await readClient(services, clientId)
  if (client === null) return err({ reason: "clientUnknown" })
  const { keys } = client
  if (keys === null) return err({ reason: "clientHasNoKey" })
  const stranger = strangerProblem(assertion, keys.workload)
  if (stranger !== null) return err(stranger)
  const source = clientKeySource(services, client, keys)
  const algorithms = keys.algorithm === null ? SIGNING_ALGORITHMS : [keys.algorithm]
  const proof = await proveStatement(services, assertion, source, algorithms)
  const now = services.clock.now()
  const judged = proof.ok
    ? judgeClaims(assertion, expectedOf(clientId, services.issuer, keys.workload), now)
    : proof
  if (!judged.ok) return err(assertionRefusal(judged.error))
  // A platform's token authenticates until it expires, as a secret does.
  const spending =
    keys.workload === null ? spendingOf(["assertion", clientId, endpoint], judged.value, body, now) : null
  return ok({ ...caller, proof: { keys, spending } })
}
