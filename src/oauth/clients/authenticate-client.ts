/** The step before every verb of an app: who is asking? Client authentication comes before any token is looked at. */
import type { Hash } from "../../kernel/ids.ts"
import { authenticate, type PresentedClient } from "./client-authentication.rules.ts"
import type { Client } from "../../records/client.rules.ts"
import type { Result } from "../../kernel/result.ts"
import type { Refusal } from "../refusal.rules.ts"
import { clientAsOf } from "../../records/self-registration.rules.ts"
import { digest } from "../../kernel/hash.ts"

/** An app as it presents itself, its secret already digested. */
export type Caller = { readonly presented: PresentedClient; readonly secretHash: Hash | null }

export function caller(presented: PresentedClient): Caller {
  return { presented, secretHash: presented.secret === null ? null : digest(presented.secret) }
}

/** Refuses: clientUnknown, clientDisabled, clientSecretMissing, clientSecretWrong, clientHasNoSecret. */
export function authenticated(
  client: Client | null,
  { presented, secretHash }: Caller,
  now: number,
): Result<Client, Refusal> {
  return authenticate(clientAsOf(client, now), presented, secretHash)
}
