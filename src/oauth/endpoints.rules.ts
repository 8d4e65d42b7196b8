/** The paths of the OAuth endpoints under the base URL. RFC 8414 §2; interface DISC-1, DISC-4. */

/** The endpoint members of the metadata and their paths under the base URL. */
export const endpoints = {
  authorization_endpoint: "/oauth/authorize",
  token_endpoint: "/oauth/token",
  device_authorization_endpoint: "/oauth/device-authorization",
  revocation_endpoint: "/oauth/revoke",
  introspection_endpoint: "/oauth/introspect",
  step_up_endpoint: "/oauth/step-up",
} as const

/** DISC-4: the metadata lists this path only while open registration is on. */
export const REGISTRATION_PATH = "/oauth/register"
