/** The metadata of OpenID Connect. OpenID Connect Discovery §3; interface OIDC-1. */
import { SIGNATURE_ALGORITHMS } from "../../model/signing-key.rules.ts"
import { END_SESSION_PATH } from "../../model/refusals/endpoints.rules.ts"
import { openidPermissions } from "../../model/permissions/openid-permissions.rules.ts"

type Metadata = { readonly scopes_supported?: readonly string[] }

const CLAIMS = [
  ...["iss", "sub", "aud", "exp", "iat", "auth_time", "acr", "amr", "azp", "sid", "nonce", "at_hash"],
  ...["preferred_username", "name", "email", "email_verified", "groups"],
]

/** Everything that the metadata of the authorization server has, and what OpenID Connect adds. */
export function openidConfiguration<M extends Metadata>(metadata: M, issuer: string) {
  return {
    ...metadata,
    jwks_uri: `${issuer}/oauth/jwks`,
    end_session_endpoint: `${issuer}${END_SESSION_PATH}`,
    userinfo_endpoint: `${issuer}/oauth/userinfo`,
    scopes_supported: [...Object.keys(openidPermissions), ...(metadata.scopes_supported ?? [])],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: SIGNATURE_ALGORITHMS,
    claims_supported: CLAIMS,
    claim_types_supported: ["normal"],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  }
}
