/**
 * The error table: from the reason of a refusal to what the wire sees. RFC 6749 §5.2 and §4.1.2.1, RFC 6750 §3.1;
 * interface ERR-1…ERR-9. Descriptions are constant facts: they name no client and give no instructions.
 */
import type { Reason } from "../oauth/refusal.rules.ts"

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
  // RFC 8628 §3.5; slow_down is the shared anonymous budget's as well
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

export type WireError = { readonly status: number; readonly error: ErrorCode; readonly description: string }

const row = (status: number, error: ErrorCode, description: string): WireError => ({
  status,
  error,
  description,
})

const badRequest = (description: string) => row(400, "invalid_request", description)
const badClient = row(401, "invalid_client", "Client authentication failed.")
const badGrant = (description: string) => row(400, "invalid_grant", description)
const badScope = (description: string) => row(400, "invalid_scope", description)

export const wireErrors = {
  methodNotAllowed: row(405, "invalid_request", "This address does not answer that method."),
  addressMalformed: badRequest("The address is malformed."),
  bodyNotForm: badRequest("The body is not well-formed application/x-www-form-urlencoded."),
  bodyTooLarge: row(413, "invalid_request", "The body is larger than 64 KiB."),
  parameterMissing: badRequest("A required parameter is missing."),
  parameterRepeated: badRequest("A parameter is given more than once."),
  parameterMalformed: badRequest("A parameter is malformed."),
  // Divergence: D-13, the code of a polling device for a budget that everybody shares
  budgetSpent: row(429, "slow_down", "Too many requests came from this address. The budget renews shortly."),

  clientMissing: badRequest("The request names no client."),
  clientConflict: badRequest("The request names two different clients."),
  clientAuthenticatedTwice: badRequest("The request carries two kinds of client authentication."),
  authorizationMalformed: badClient,
  clientUnknown: badClient,
  clientDisabled: badClient,
  clientSecretMissing: badClient,
  clientSecretWrong: badClient,
  clientHasNoSecret: badClient,
  tokenOfAnotherClient: badClient,
  // Divergence: D-15, authenticated well and still not allowed
  notAResourceServer: row(403, "unauthorized_client", "Introspection is for resource servers."),
  streamsSpent: row(429, "slow_down", "The app has as many streams open as it may."),

  redirectUriUnregistered: badRequest("The redirect address is not registered."),
  responseTypeUnsupported: row(400, "unsupported_response_type", "The only response type is code."),
  challengeMethodUnsupported: badRequest("The only code challenge method is S256."),
  resourceMalformed: row(400, "invalid_target", "A resource is not an absolute address without a fragment."),
  accessDenied: row(400, "access_denied", "The account holder refused."),

  // RFC 7591 §3.2.2; what is told in place of these two says which member, for the developer who wrote it
  bodyNotJson: row(400, "invalid_client_metadata", "The body is not well-formed application/json."),
  redirectUriUnregisterable: row(400, "invalid_redirect_uri", "A redirect address cannot be registered."),
  clientMetadataInvalid: row(400, "invalid_client_metadata", "A member of the registration is not valid."),

  scopeMalformed: badScope("The scope is malformed."),
  scopeUnknown: badScope("The scope names a permission that does not exist."),
  scopeOverCeiling: badScope("The scope names a permission outside the registration."),
  scopeOverReach: badScope("The scope names a permission outside what the credential reaches."),
  scopeEmpty: badScope("The request leaves nothing to grant."),

  grantTypeUnsupported: row(400, "unsupported_grant_type", "The grant type is not served."),
  codeUnknown: badGrant("The authorization code is not valid."),
  codeOfAnotherClient: badGrant("The authorization code is not valid."),
  codeExpired: badGrant("The authorization code has expired."),
  codeReplayed: badGrant("The authorization code was already used."),
  codeVoid: badGrant("The authorization code is not valid."),
  redirectUriDiffers: badGrant("The redirect address differs from the one of the authorization request."),
  verifierWrong: badGrant("The code verifier does not match the code challenge."),
  refreshTokenUnknown: badGrant("The refresh token is not valid."),
  refreshTokenOfAnotherClient: badGrant("The refresh token is not valid."),
  refreshTokenRetired: badGrant("The refresh token was already used."),
  refreshTokenReused: badGrant(
    "The refresh token was used again after its retirement; the credential is revoked.",
  ),
  credentialRevoked: badGrant("The credential was revoked."),
  credentialEnded: badGrant("The credential has reached the end of its life."),
  accountUnavailable: badGrant("The account is not available."),

  deviceCodeUnknown: badGrant("The device code is not valid."),
  deviceCodeOfAnotherClient: badGrant("The device code is not valid."),
  devicePending: row(400, "authorization_pending", "The request has not been answered yet."),
  devicePolledEarly: row(400, "slow_down", "The poll came too soon after the one before."),
  deviceDenied: row(400, "access_denied", "The account holder refused."),
  deviceApprovalVoid: row(400, "access_denied", "The request cannot be granted any more."),
  deviceExpired: row(400, "expired_token", "The device code has expired."),
  deviceRedeemed: badGrant("The device code was already used."),

  stepUpNotAllowed: row(403, "access_denied", "The app is not allowed to ask for a step-up."),

  accessTokenMissing: row(401, "invalid_token", "The request carries no access token."),
  accessTokenInvalid: row(401, "invalid_token", "The access token is not valid."),
  accessTokenForAnotherResource: row(401, "invalid_token", "The access token is meant for another resource."),
  permissionLacking: row(403, "insufficient_scope", "The credential lacks a permission that this needs."),
  // Divergence: D-17, the token is good, so this is no 401
  elevationLacking: row(400, "insufficient_user_authentication", "This needs a factor proven recently."),
} satisfies Record<Reason, WireError>

/** The row of `reason`. Total: a reason without a row does not compile. */
export function wireError(reason: Reason): WireError {
  return wireErrors[reason]
}

/**
 * What a client sees while the store cannot answer. RFC 7009 §2.2.1: the token still exists.
 * Divergence: D-14, a code of the authorization endpoint, also at the token endpoint.
 */
export const unavailable = row(503, "temporarily_unavailable", "The service cannot answer right now.")
