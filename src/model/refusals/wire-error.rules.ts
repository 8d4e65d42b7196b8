/** The wire form of refusals, and what a row of their tables has. RFC 6749 §5.2 and §4.1.2.1, RFC 6750 §3.1; interface ERR. */
export type ErrorCode =
  // RFC 6749 §5.2, in its order
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "invalid_scope"
  // RFC 6749 §4.1.2.1
  | "access_denied"
  | "unsupported_response_type"
  | "temporarily_unavailable"
  // OpenID Connect Core §3.1.2.6
  | "request_not_supported"
  | "request_uri_not_supported"
  | "login_required"
  | "consent_required"
  // RFC 8628 §3.5. The rate limit of anonymous requests also uses slow_down.
  | "authorization_pending"
  | "slow_down"
  | "expired_token"
  // RFC 7591 §3.2.2
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  // RFC 8707 §2
  | "invalid_target"
  // RFC 6750 §3.1 and RFC 9470 §3
  | "invalid_token"
  | "insufficient_scope"
  | "insufficient_user_authentication"

/** The description is a constant text. It names no client and gives no instructions (ERR-11). */
export type WireError = { readonly status: number; readonly error: ErrorCode; readonly description: string }

export type Row = {
  readonly wire: WireError
  /** The wrong parameter, member or header. Missing if there are several, or if the refusal itself names it. */
  readonly parameter?: string
  /** A label for operators, short enough for the legend of a plot. */
  readonly label: string
  /** A sentence for the app's developer. `{parameter}` stands for the parameter that the refusal names. */
  readonly sentence: string
}

export const wire = (status: number, error: ErrorCode, description: string): WireError => ({
  status,
  error,
  description,
})
export const badRequest = (description: string) => wire(400, "invalid_request", description)
export const badGrant = (description: string) => wire(400, "invalid_grant", description)
export const badScope = (description: string) => wire(400, "invalid_scope", description)
export const unknownTarget = wire(400, "invalid_target", "A resource is not known, or was not granted.")
export const failedAuthentication = wire(401, "invalid_client", "Client authentication failed.")

/**
 * The response while the store is unavailable. The client must assume that the token still exists (RFC 7009 §2.2.1).
 * Divergence: D-14, the token endpoint also uses this code of the authorization endpoint.
 */
export const unavailable = wire(503, "temporarily_unavailable", "The service cannot answer right now.")
