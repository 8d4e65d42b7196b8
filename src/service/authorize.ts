/**
 * The authorization endpoint: RFC 6749 §4.1.1; interface AUTHZ-*.
 *
 * 1. Client and redirect address are settled first; until both are good nothing is ever redirected.
 * 2. Every other error goes back to the app at once, also before sign-in.
 * 3. A request that holds is shown to the account holder. Nothing is stored.
 */
import {
  type AuthorizationRequest,
  clientOf,
  parseAuthorizationRequest,
} from "../core/authorization-request.ts"
import type { MatchedRedirectUri } from "../core/brand.ts"
import type { Client } from "../core/client.ts"
import type { Form } from "../core/form.ts"
import { matchRedirectUri } from "../core/redirect-uri.ts"
import type { Refusal } from "../core/refusal.ts"
import { clientAsOf } from "../core/self-registration.ts"
import type { Latchkey } from "./latchkey.ts"

export type Authorization =
  /** The service's own page; no redirect, the address is not even linked. */
  | { readonly outcome: "own-page"; readonly refusal: Refusal }
  | {
      readonly outcome: "back-to-app"
      readonly redirectUri: MatchedRedirectUri
      readonly state: string | null
      readonly refusal: Refusal
    }
  | { readonly outcome: "ask"; readonly client: Client; readonly request: AuthorizationRequest }

export async function authorize(
  { store, catalogue, clock }: Pick<Latchkey, "store" | "catalogue" | "clock">,
  form: Form | null,
): Promise<Authorization> {
  const ownPage = (refusal: Refusal): Authorization => ({ outcome: "own-page", refusal })
  if (form === null) return ownPage({ reason: "parameterMalformed", parameter: "query" })
  const named = clientOf(form)
  if (!named.ok) return ownPage(named.refusal)

  const found = await store.read({ client: named.value.clientId })
  const client = clientAsOf(found.client, clock.now())
  if (client === null) return ownPage({ reason: "clientUnknown" })
  if (!client.enabled) return ownPage({ reason: "clientDisabled" })
  const redirectUri = matchRedirectUri(named.value.redirectUri, client.redirectUris)
  if (redirectUri === null) return ownPage({ reason: "redirectUriUnregistered" })

  const request = parseAuthorizationRequest(form, client, redirectUri, catalogue)
  if (request.ok) return { outcome: "ask", client, request: request.value }
  const state = form.repeated.has("state") ? null : (form.values.get("state") ?? null)
  return { outcome: "back-to-app", redirectUri, state, refusal: request.refusal }
}
