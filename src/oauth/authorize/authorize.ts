/**
 * The authorization endpoint: RFC 6749 §4.1.1; interface AUTHZ-*.
 *
 * 1. Client and redirect URI are checked first. Nothing is redirected before both are valid.
 * 2. Every other error goes back to the app at once, even before sign-in.
 * 3. A valid request is shown to the account holder. Nothing is stored.
 */
import {
  type AuthorizationRequest,
  clientOf,
  parseAuthorizationRequest,
  stateForError,
} from "./authorization-request.rules.ts"
import type { ClientId, MatchedRedirectUri } from "../../kernel/ids.ts"
import type { Client } from "../../records/client.rules.ts"
import type { Query } from "../../kernel/form.ts"
import { matchRedirectUri, type ParameterValue } from "../clients/redirect-uri.rules.ts"
import type { Refusal } from "../../oauth/refusal.rules.ts"
import { readEnabledClient } from "../clients/resolve.ts"
import type { Services } from "../../services/services.ts"

export type Authorization =
  /** A page of the service, without a redirect or a link to the app. `clientId` is the one that the request names. */
  | { readonly outcome: "own-page"; readonly clientId: ClientId | null; readonly refusal: Refusal }
  | {
      readonly outcome: "back-to-app"
      readonly client: Client
      readonly redirectUri: MatchedRedirectUri
      readonly state: ParameterValue | null
      readonly refusal: Refusal
    }
  | { readonly outcome: "ask"; readonly client: Client; readonly request: AuthorizationRequest }

export async function authorize(
  services: Pick<Services, "store" | "catalogue" | "clock">,
  query: Query,
): Promise<Authorization> {
  const ownPage = (refusal: Refusal, clientId: ClientId | null = null): Authorization => ({
    outcome: "own-page",
    clientId,
    refusal,
  })
  const named = clientOf(query)
  if (!named.ok) return ownPage(named.error)

  const { clientId } = named.value
  const found = await readEnabledClient(services, clientId)
  if (!found.ok) return ownPage(found.error, clientId)
  const client = found.value
  const redirectUri = matchRedirectUri(named.value.redirectUri, client.redirectUris)
  if (redirectUri === null) return ownPage({ reason: "redirectUriUnregistered" }, clientId)

  const request = parseAuthorizationRequest(query, client, redirectUri, services.catalogue)
  if (request.ok) return { outcome: "ask", client, request: request.value }
  return {
    outcome: "back-to-app",
    client,
    redirectUri,
    state: stateForError(query),
    refusal: request.error,
  }
}
