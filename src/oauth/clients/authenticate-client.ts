import type { Hash } from "../../kernel/ids.ts"
import { decided } from "../../model/change.rules.ts"
import { authenticate, type Caller, type PresentedClient } from "./client-authentication.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import type { Result } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { resolveClient } from "./resolve.rules.ts"
import { spendAssertion } from "./spent-assertion.rules.ts"
import type { Load } from "../../store/loadable.ts"
import type { Services } from "../../platform/services/services.ts"
import { earlierUses } from "../../platform/statements/spend.ts"
import { digest } from "../../kernel/hash.ts"

export function callerOf(presented: PresentedClient): Caller {
  return {
    presented,
    secretHash: presented.secret === null ? null : digest(presented.secret),
    proof: null,
  }
}

/** Decides whether the authenticated client may use an endpoint at all. */
export type MayUse = (known: Result<Client, Refusal>) => Result<Client, Refusal>

const everyClient: MayUse = (known) => known

/**
 * Also marks its assertion as used, unless the client may not use the endpoint. Refuses: every reason of
 * `authenticated` and of `mayUse`; assertionReplayed.
 */
export async function authenticateCaller(
  { store, clock }: Pick<Services, "store" | "clock">,
  caller: Caller,
  mayUse: MayUse = everyClient,
): Promise<Result<Client, Refusal>> {
  const load = { client: caller.presented.clientId }
  if ((caller.proof?.spending ?? null) === null)
    return mayUse(authenticated((await store.read(load)).client, caller, clock.now()))
  return store.change(withAssertion(caller, load), (found) => {
    const known = mayUse(authenticated(found.client, caller, clock.now()))
    return known.ok ? spendAssertion(caller, found, decided(known)) : decided(known)
  })
}

/** Authenticates a caller against the client row that was read. Refuses: every reason of `authenticate`. */
export function authenticated(client: Client | null, caller: Caller, now: number): Result<Client, Refusal> {
  return authenticate(resolveClient(client, now), caller)
}

/** Adds what is known about earlier uses of the caller's assertion to the rows that a change loads. */
export function withAssertion<const L extends Load>(
  { proof }: Caller,
  load: L,
): L & { readonly spentAssertion: Hash | null; readonly meta: string | null } {
  const spending = proof?.spending ?? null
  return spending === null
    ? (load as L & { readonly spentAssertion: null; readonly meta: null })
    : { ...load, ...earlierUses(spending) }
}
