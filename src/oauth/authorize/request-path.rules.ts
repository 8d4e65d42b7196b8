/** Writes a request back into the path and query of the authorization endpoint, where a person begins it again. */
import { endpoints } from "../../model/refusals/endpoints.rules.ts"
import { openidPairs } from "../openid/openid-parameters.rules.ts"
import type { AuthorizationRequest } from "./authorization-request.rules.ts"

export function requestPath({
  clientId,
  redirectUri,
  state,
  codeChallenge,
  scope,
  resources,
  installationName,
  uiLocale,
  ...openid
}: AuthorizationRequest): string {
  const parameters: readonly (readonly [name: string, value: string])[] = [
    ["client_id", clientId],
    ["redirect_uri", redirectUri],
    ["response_type", "code"],
    ["state", state],
    ["code_challenge", codeChallenge],
    ["code_challenge_method", "S256"],
    // An omitted scope asks for the ceiling, which may have changed since. AUTHZ-7.
    ...(scope === undefined ? [] : [["scope", scope.join(" ")] as const]),
    ...resources.map((resource) => ["resource", resource] as const),
    ...(installationName === null ? [] : [["installation_name", installationName] as const]),
    ...(uiLocale === undefined ? [] : [["ui_locales", uiLocale] as const]),
    ...openidPairs(openid),
  ]
  const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")
  return `${endpoints.authorization_endpoint}?${query}`
}
