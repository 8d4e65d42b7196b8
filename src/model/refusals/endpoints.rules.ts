/** The paths of the OAuth endpoints under the base URL. RFC 8414 §2; interface DISC-1, DISC-4. */

export const endpoints = {
  authorization_endpoint: "/oauth/authorize",
  token_endpoint: "/oauth/token",
  device_authorization_endpoint: "/oauth/device-authorization",
  revocation_endpoint: "/oauth/revoke",
  introspection_endpoint: "/oauth/introspect",
  step_up_endpoint: "/oauth/step-up",
} as const

/** Only the metadata of OpenID Connect list this path. RP-Initiated Logout §2.1. */
export const END_SESSION_PATH = "/oauth/end-session"

/** The metadata lists this path only while self-registration is enabled. DISC-4. */
export const REGISTRATION_PATH = "/oauth/register"
