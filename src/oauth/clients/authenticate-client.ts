/** Client authentication, before any token is read. */
import type { Hash } from "../../kernel/ids.ts"
import { authenticate, type PresentedClient } from "./client-authentication.rules.ts"
import type { Client } from "../../records/client.rules.ts"
import type { Result } from "../../kernel/result.ts"
import type { Refusal } from "../refusal.rules.ts"
import { resolveClient } from "./resolve.rules.ts"
import type { Services } from "../../services/services.ts"
import { digest } from "../../kernel/hash.ts"

/** A client as it presents itself, with its secret as a digest. */
export type Caller = { readonly presented: PresentedClient; readonly secretHash: Hash | null }

export function caller(presented: PresentedClient): Caller {
  return { presented, secretHash: presented.secret === null ? null : digest(presented.secret) }
}

/** Outside a change. Refuses: what `authenticated` refuses. */
export async function authenticateCaller(
  { store, clock }: Pick<Services, "store" | "clock">,
  who: Caller,
): Promise<Result<Client, Refusal>> {
  const { client } = await store.read({ client: who.presented.clientId })
  return authenticated(client, who, clock.now())
}

/**
 * On the row that a change loaded.
 * Refuses: clientUnknown, clientDisabled, clientSecretMissing, clientSecretWrong, clientHasNoSecret.
 */
export function authenticated(
  client: Client | null,
  { presented, secretHash }: Caller,
  now: number,
): Result<Client, Refusal> {
  return authenticate(resolveClient(client, now), presented, secretHash)
}
