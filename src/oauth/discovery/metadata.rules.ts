/** The metadata documents. RFC 8414 §2, RFC 9728 §2, RFC 9207 §3; interface DISC-1…DISC-4. */
import { type Appearance, PRODUCT } from "../../model/appearance.rules.ts"
import type { Permission } from "../../kernel/ids.ts"
import { SIGNING_ALGORITHMS } from "../../model/clients/client.rules.ts"
import { endpoints, REGISTRATION_PATH } from "../../model/refusals/endpoints.rules.ts"
import { isAdmin } from "../../model/permissions/permission.rules.ts"
import { JWT_BEARER } from "../token/grants/identity-assertion.rules.ts"

const SECRET_METHODS = ["client_secret_basic", "client_secret_post"] as const
const KEY_METHOD = "private_key_jwt"
/** draft-ietf-oauth-identity-assertion-authz-grant §7. Which issuers are trusted is not published. */
const ID_JAG_PROFILE = "urn:ietf:params:oauth:grant-profile:id-jag"

export type Published = {
  /** The base URL without a trailing slash. Clients compare it byte by byte (RFC 8414 §3.3). */
  readonly issuer: string
  /** The permissions for `scopes_supported`. Admin permissions are removed later. */
  readonly permissions: readonly Permission[]
  readonly isRegistrationOpen: boolean
  /** Whether a client has a key, or could register one now. */
  readonly hasKeys: boolean
  /** Whether a client_id may be the URL of a document. */
  readonly hasDocuments: boolean
  /** Whether the service signs id_tokens or access tokens. */
  readonly hasJwks: boolean
  readonly grantTypes: readonly string[]
  readonly appearance: Appearance
}

/** Builds the authorization server metadata. Members without a value are left out: RFC 8414 §3.2. */
export function authorizationServerMetadata({
  issuer,
  permissions,
  isRegistrationOpen,
  hasKeys,
  hasDocuments,
  hasJwks,
  grantTypes,
  appearance: { terms, privacy },
}: Published) {
  const confidential = hasKeys ? [...SECRET_METHODS, KEY_METHOD] : SECRET_METHODS
  const methods = [...confidential, "none"]
  return {
    issuer,
    authorization_endpoint: issuer + endpoints.authorization_endpoint,
    token_endpoint: issuer + endpoints.token_endpoint,
    token_endpoint_auth_methods_supported: methods,
    ...(hasKeys && { token_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS }),
    device_authorization_endpoint: issuer + endpoints.device_authorization_endpoint,
    revocation_endpoint: issuer + endpoints.revocation_endpoint,
    revocation_endpoint_auth_methods_supported: methods,
    ...(hasKeys && { revocation_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS }),
    introspection_endpoint: issuer + endpoints.introspection_endpoint,
    introspection_endpoint_auth_methods_supported: confidential,
    ...(hasKeys && { introspection_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS }),
    step_up_endpoint: issuer + endpoints.step_up_endpoint,
    ...(hasJwks && { jwks_uri: `${issuer}/oauth/jwks` }),
    ...(hasDocuments ? { client_id_metadata_document_supported: true } : {}),
    ...(isRegistrationOpen ? { registration_endpoint: issuer + REGISTRATION_PATH } : {}),
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: grantTypes,
    ...(grantTypes.includes(JWT_BEARER) && { authorization_grant_profiles_supported: [ID_JAG_PROFILE] }),
    refresh_token_expiration_types_supported: ["authorization", "token_timeout"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    ...(privacy !== null && { op_policy_uri: privacy }),
    ...(terms !== null && { op_tos_uri: terms }),
    ...scopes(permissions),
  }
}

/** Builds the metadata of a protected resource of this service. `resource` is the URL of the resource. */
export function protectedResourceMetadata(
  resource: string,
  { issuer, permissions, appearance: { name } }: Pick<Published, "issuer" | "permissions" | "appearance">,
) {
  return {
    resource,
    ...(name !== PRODUCT && { resource_name: name }),
    authorization_servers: [issuer],
    bearer_methods_supported: ["header"],
    ...scopes(permissions),
  }
}

function scopes(permissions: readonly Permission[]): { readonly scopes_supported?: readonly Permission[] } {
  const offered = permissions.filter((name) => !isAdmin(name))
  return offered.length === 0 ? {} : { scopes_supported: offered }
}
