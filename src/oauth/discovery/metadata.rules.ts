/** The metadata documents. RFC 8414 §2, RFC 9728 §2, RFC 9207 §3; interface DISC-1…DISC-4. */
import type { Permission } from "../../kernel/ids.ts"
import { endpoints, REGISTRATION_PATH } from "../endpoints.rules.ts"
import { isAdmin } from "../../permissions/permission.rules.ts"

const SECRET_METHODS = ["client_secret_basic", "client_secret_post"] as const
const CLIENT_METHODS = [...SECRET_METHODS, "none"] as const

export type Published = {
  /** The base URL without a trailing slash, the same bytes wherever it is published. */
  readonly issuer: string
  /** Published as supported scopes, without admin permissions. */
  readonly permissions: readonly Permission[]
  readonly isRegistrationOpen: boolean
  readonly grantTypes: readonly string[]
}

/** The authorization server metadata. A member without a value is left out: RFC 8414 §3.2. */
export function authorizationServerMetadata({
  issuer,
  permissions,
  isRegistrationOpen,
  grantTypes,
}: Published) {
  return {
    issuer,
    authorization_endpoint: issuer + endpoints.authorization_endpoint,
    token_endpoint: issuer + endpoints.token_endpoint,
    token_endpoint_auth_methods_supported: CLIENT_METHODS,
    device_authorization_endpoint: issuer + endpoints.device_authorization_endpoint,
    revocation_endpoint: issuer + endpoints.revocation_endpoint,
    revocation_endpoint_auth_methods_supported: CLIENT_METHODS,
    introspection_endpoint: issuer + endpoints.introspection_endpoint,
    introspection_endpoint_auth_methods_supported: SECRET_METHODS,
    step_up_endpoint: issuer + endpoints.step_up_endpoint,
    ...(isRegistrationOpen ? { registration_endpoint: issuer + REGISTRATION_PATH } : {}),
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: grantTypes,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    ...scopes(permissions),
  }
}

/** The metadata of a protected resource of this service; `resource` is its URL. */
export function protectedResourceMetadata(
  resource: string,
  { issuer, permissions }: Pick<Published, "issuer" | "permissions">,
) {
  return {
    resource,
    authorization_servers: [issuer],
    bearer_methods_supported: ["header"],
    ...scopes(permissions),
  }
}

function scopes(permissions: readonly Permission[]): { readonly scopes_supported?: readonly Permission[] } {
  const offered = permissions.filter((name) => !isAdmin(name))
  return offered.length === 0 ? {} : { scopes_supported: offered }
}
