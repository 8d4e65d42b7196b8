/**
 * The table of reasons. Every refusal has a wire error, a label and an explanation. RFC 6749 §5.2 and §4.1.2.1, RFC
 * 6750 §3.1; interface ERR-1…ERR-9. `refusal.rules.ts` lists the facts that a refusal carries.
 */
import { RESOURCES_AT_MOST } from "../../kernel/limits.ts"
import type { Reason } from "./refusal.rules.ts"

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

type Row = {
  readonly wire: WireError
  /** The wrong parameter, member or header. Missing if there are several, or if the refusal itself names it. */
  readonly parameter?: string
  /** A label for operators, short enough for the legend of a plot. */
  readonly label: string
  /** A sentence for the app's developer. `{parameter}` stands for the parameter that the refusal names. */
  readonly sentence: string
}

const wire = (status: number, error: ErrorCode, description: string): WireError => ({
  status,
  error,
  description,
})
const badRequest = (description: string) => wire(400, "invalid_request", description)
const badGrant = (description: string) => wire(400, "invalid_grant", description)
const badScope = (description: string) => wire(400, "invalid_scope", description)
const unknownTarget = wire(400, "invalid_target", "A resource is not known, or was not granted.")
const failedAuthentication = wire(401, "invalid_client", "Client authentication failed.")

export const reasons = {
  // Malformed requests.
  methodNotAllowed: {
    wire: wire(405, "invalid_request", "This address does not answer that method."),
    label: "HTTP method not allowed",
    sentence: "The HTTP method is not one that this address answers.",
  },
  addressMalformed: {
    wire: badRequest("The address is malformed."),
    label: "Malformed URL",
    sentence: "The address of the request could not be read.",
  },
  bodyNotForm: {
    wire: badRequest("The body is not well-formed application/x-www-form-urlencoded."),
    label: "Body is not a form",
    sentence: "The body is not application/x-www-form-urlencoded, or its encoding is broken.",
  },
  bodyTooLarge: {
    wire: wire(413, "invalid_request", "The body is larger than 64 KiB."),
    label: "Body too large",
    sentence: "The body is larger than this address takes.",
  },
  parameterMissing: {
    wire: badRequest("A required parameter is missing."),
    label: "Parameter missing",
    sentence: "The required parameter {parameter} is missing.",
  },
  parameterRepeated: {
    wire: badRequest("A parameter is given more than once."),
    label: "Parameter repeated",
    sentence: "The parameter {parameter} was sent more than once.",
  },
  parameterMalformed: {
    wire: badRequest("A parameter is malformed."),
    label: "Parameter malformed",
    sentence: "The value of {parameter} is not valid.",
  },
  hintConflict: {
    wire: badRequest("The client_id is not the one of the id_token_hint."),
    parameter: "client_id",
    label: "Sign-out for another app",
    sentence: "The client_id of a sign-out is not the app that got the id_token_hint.",
  },
  // Divergence: D-13, the rate limit of anonymous requests uses the error code for a device that polls too fast.
  budgetSpent: {
    wire: wire(
      429,
      "slow_down",
      "Too many requests came from this address. Its budget renews when its window ends.",
    ),
    label: "Too many requests from one address",
    sentence: "Too many requests came from one network address.",
  },

  // Client authentication. Every failed authentication gets the same response. RFC 6749 §5.2.
  clientMissing: {
    wire: badRequest("The request names no client."),
    parameter: "client_id",
    label: "Client ID missing",
    sentence: "No client_id was sent.",
  },
  clientConflict: {
    wire: badRequest("The request names two different clients."),
    parameter: "client_id",
    label: "Two different client IDs",
    sentence: "The client_id in the body is not the one of the Authorization header.",
  },
  clientAuthenticatedTwice: {
    wire: badRequest("The request carries two kinds of client authentication."),
    label: "Client authenticated twice",
    sentence: "The request authenticates the app in two ways, of which only one may be used.",
  },
  authorizationMalformed: {
    wire: failedAuthentication,
    label: "Malformed Authorization header",
    sentence: "The Authorization header could not be read.",
  },
  clientUnknown: {
    wire: failedAuthentication,
    parameter: "client_id",
    label: "App not registered",
    sentence: "The client_id is not registered.",
  },
  clientDisabled: {
    wire: failedAuthentication,
    parameter: "client_id",
    label: "App is disabled",
    sentence: "The app is disabled.",
  },
  documentNotAllowed: {
    wire: failedAuthentication,
    parameter: "client_id",
    label: "Document not allowed",
    sentence: "The client_id is a URL that this service does not allow.",
  },
  documentBusy: {
    wire: failedAuthentication,
    parameter: "client_id",
    label: "Too many documents at once",
    sentence: "The document of the client_id was not fetched, because too many are fetched at this moment.",
  },
  documentUnavailable: {
    wire: failedAuthentication,
    parameter: "client_id",
    label: "Document unavailable",
    sentence: "The document of the client_id could not be fetched, or it was refused.",
  },
  clientSecretMissing: {
    wire: failedAuthentication,
    parameter: "client_secret",
    label: "Client secret missing",
    sentence: "The app is confidential and sent no client secret.",
  },
  clientSecretWrong: {
    wire: failedAuthentication,
    parameter: "client_secret",
    label: "Wrong client secret",
    sentence: "The client secret is wrong.",
  },
  clientHasNoSecret: {
    wire: failedAuthentication,
    parameter: "client_secret",
    label: "Client secret from a public app",
    sentence: "The app is public and sent a client secret.",
  },
  clientAssertionMissing: {
    wire: failedAuthentication,
    parameter: "client_assertion",
    label: "Client assertion missing",
    sentence: "The app authenticates with private_key_jwt and sent no client_assertion.",
  },
  clientHasNoKey: {
    wire: failedAuthentication,
    parameter: "client_assertion",
    label: "Client assertion from an app without a key",
    sentence: "The app has no registered key and sent a client_assertion.",
  },
  assertionTooLong: {
    wire: failedAuthentication,
    parameter: "client_assertion",
    label: "Client assertion too long",
    sentence: "The client_assertion is longer than 16 KiB.",
  },
  assertionTypeUnsupported: {
    wire: failedAuthentication,
    parameter: "client_assertion_type",
    label: "Unsupported client assertion type",
    sentence: "The client_assertion_type is missing or is not the one of RFC 7523.",
  },
  assertionMalformed: {
    wire: failedAuthentication,
    parameter: "client_assertion",
    label: "Malformed client assertion",
    sentence: "The client_assertion is not a compact JWT, has a critical extension or another typ.",
  },
  assertionIssuerWrong: {
    wire: failedAuthentication,
    parameter: "client_assertion",
    label: "Client assertion with a wrong issuer",
    sentence: "The claims iss and sub of the assertion are not both the client_id.",
  },
  assertionAlgorithmRefused: {
    wire: failedAuthentication,
    parameter: "client_assertion",
    label: "Client assertion with a refused algorithm",
    sentence: "The alg of the assertion is not one that the app's registration allows.",
  },
  assertionKeyUnknown: {
    wire: failedAuthentication,
    parameter: "client_assertion",
    label: "Client assertion with an unknown key",
    sentence: "No single key of the app matches the kid and alg of the assertion.",
  },
  clientKeysUnavailable: {
    wire: failedAuthentication,
    parameter: "client_assertion",
    label: "Keys of the app not available",
    sentence: "The keys of the app could not be fetched from its jwks_uri.",
  },
  assertionSignatureWrong: {
    wire: failedAuthentication,
    parameter: "client_assertion",
    label: "Wrong signature of a client assertion",
    sentence: "The signature of the assertion is wrong.",
  },
  assertionAudienceWrong: {
    wire: failedAuthentication,
    parameter: "client_assertion",
    label: "Client assertion for another audience",
    sentence: "The aud of the assertion is not the issuer as its only value.",
  },
  assertionExpired: {
    wire: failedAuthentication,
    parameter: "client_assertion",
    label: "Expired client assertion",
    sentence:
      "The assertion has expired, or has no exp. Check the clocks of the app's server and of this service.",
  },
  assertionNotYetValid: {
    wire: failedAuthentication,
    parameter: "client_assertion",
    label: "Client assertion from the future",
    sentence: "The iat or nbf of the assertion is in the future. Check the clock of the app's server.",
  },
  assertionLifetimeTooLong: {
    wire: failedAuthentication,
    parameter: "client_assertion",
    label: "Client assertion valid for too long",
    sentence: "The assertion is valid for more than ten minutes.",
  },
  assertionIdMissing: {
    wire: failedAuthentication,
    parameter: "client_assertion",
    label: "Client assertion without jti",
    sentence: "The assertion has no jti.",
  },
  assertionReplayed: {
    wire: failedAuthentication,
    parameter: "client_assertion",
    label: "Client assertion used again",
    sentence: "The assertion was used before. Each request needs a new one.",
  },
  tokenOfAnotherClient: {
    wire: failedAuthentication,
    parameter: "token",
    label: "Token of another app",
    sentence: "The token belongs to another app.",
  },
  // Divergence: D-15, the client is authenticated but may not introspect tokens.
  notAResourceServer: {
    wire: wire(403, "unauthorized_client", "Introspection is for resource servers."),
    label: "Introspection without being a resource server",
    sentence: "The app is not a resource server, so it may not introspect tokens.",
  },
  streamsSpent: {
    wire: wire(429, "slow_down", "The app has as many streams open as it may."),
    label: "Too many event streams",
    sentence: "The app has too many event streams open.",
  },

  // Authorization requests. RFC 6749 §4.1.2.1, RFC 8707 §2.
  redirectUriUnregistered: {
    wire: badRequest("The redirect URI is not registered."),
    parameter: "redirect_uri",
    label: "Redirect URI not registered",
    sentence: "The redirect_uri is not registered for the app.",
  },
  responseTypeUnsupported: {
    wire: wire(400, "unsupported_response_type", "The only response type is code."),
    parameter: "response_type",
    label: "Unsupported response type",
    sentence: "The response_type is not code.",
  },
  challengeMethodUnsupported: {
    wire: badRequest("The only code challenge method is S256."),
    parameter: "code_challenge_method",
    label: "Unsupported code challenge method",
    sentence: "The code_challenge_method is not S256.",
  },
  resourceMalformed: {
    wire: wire(400, "invalid_target", "A resource is not an absolute address without a fragment."),
    parameter: "resource",
    label: "Malformed resource",
    sentence: `A resource is not an absolute address, there are more than ${RESOURCES_AT_MOST}, or they are too long together.`,
  },
  resourceUnknown: {
    wire: unknownTarget,
    parameter: "resource",
    label: "Unknown resource",
    sentence: "A resource is not in the operator's list, or the consent does not name it.",
  },
  resourceDiffers: {
    wire: unknownTarget,
    parameter: "resource",
    label: "Repeated refresh for another resource",
    sentence:
      "A refresh was repeated in its grace period for another audience than the one that was answered.",
  },
  accessDenied: {
    wire: wire(400, "access_denied", "The account holder refused."),
    label: "Consent refused",
    sentence: "The account holder refused.",
  },
  requestObjectUnsupported: {
    wire: wire(400, "request_not_supported", "The parameter request is not supported."),
    parameter: "request",
    label: "Request object not supported",
    sentence: "The request has the parameter request. Send each parameter in the URL.",
  },
  requestUriUnsupported: {
    wire: wire(400, "request_uri_not_supported", "The parameter request_uri is not supported."),
    parameter: "request_uri",
    label: "Request URI not supported",
    sentence: "The request has the parameter request_uri. Send each parameter in the URL.",
  },
  loginRequired: {
    wire: wire(400, "login_required", "The person is not signed in as the request asks."),
    parameter: "prompt",
    label: "Sign-in needed",
    sentence: "The request allows no page, or the person did not sign in as it asked.",
  },
  consentRequired: {
    wire: wire(400, "consent_required", "The consent page is needed."),
    parameter: "prompt",
    label: "Consent needed",
    sentence: "The request allows no page, and needs the consent page.",
  },

  // Registration requests. RFC 7591 §3.2.2. The description in the refusal replaces these descriptions.
  bodyNotJson: {
    wire: wire(400, "invalid_client_metadata", "The body is not well-formed application/json."),
    label: "Body is not JSON",
    sentence: "The body is not JSON.",
  },
  redirectUriUnregisterable: {
    wire: wire(400, "invalid_redirect_uri", "A redirect URI cannot be registered."),
    parameter: "redirect_uris",
    label: "Invalid redirect URI in a registration",
    sentence: "A redirect URI cannot be registered.",
  },
  clientMetadataInvalid: {
    wire: wire(400, "invalid_client_metadata", "A member of the registration is not valid."),
    label: "Invalid registration",
    sentence: "A member of the registration is not valid.",
  },

  // Permissions.
  scopeMalformed: {
    wire: badScope("The scope is malformed."),
    parameter: "scope",
    label: "Malformed scope",
    sentence: "The scope could not be read.",
  },
  scopeUnknown: {
    wire: badScope("The scope names a permission that does not exist."),
    parameter: "scope",
    label: "Unknown permission",
    sentence: "The scope names a permission that does not exist.",
  },
  scopeOverCeiling: {
    wire: badScope("The scope names a permission outside the registration."),
    parameter: "scope",
    label: "Permission outside the registration",
    sentence: "The scope names a permission that the app is not registered for.",
  },
  scopeOverReach: {
    wire: badScope("The scope names a permission outside what the credential reaches."),
    parameter: "scope",
    label: "Permission outside what the credential reaches",
    sentence: "The scope names a permission that the credential does not reach.",
  },
  scopeEmpty: {
    wire: badScope("The request leaves nothing to grant."),
    parameter: "scope",
    label: "No permission left to grant",
    sentence: "No permission is left that could be granted.",
  },

  // Authorization codes and refresh tokens. RFC 6749 §5.2.
  grantTypeUnsupported: {
    wire: wire(400, "unsupported_grant_type", "The grant type is not served."),
    parameter: "grant_type",
    label: "Unsupported grant type",
    sentence: "The grant_type is not supported.",
  },
  clientNotBound: {
    wire: wire(400, "unauthorized_client", "The client may not use this grant type."),
    parameter: "grant_type",
    label: "App not bound to a service account",
    sentence: "The app is public, or no service account is bound to it.",
  },
  codeUnknown: {
    wire: badGrant("The authorization code is not valid."),
    parameter: "code",
    label: "Unknown authorization code",
    sentence: "The authorization code is unknown.",
  },
  codeOfAnotherClient: {
    wire: badGrant("The authorization code is not valid."),
    parameter: "code",
    label: "Authorization code of another app",
    sentence: "The authorization code belongs to another app.",
  },
  codeExpired: {
    wire: badGrant("The authorization code has expired."),
    parameter: "code",
    label: "Authorization code expired",
    sentence: "The authorization code has expired.",
  },
  codeReplayed: {
    wire: badGrant("The authorization code was already used."),
    parameter: "code",
    label: "Authorization code used again",
    sentence: "The authorization code was used before; the credential was revoked.",
  },
  codeVoid: {
    wire: badGrant("The authorization code is not valid."),
    parameter: "code",
    label: "Authorization code no longer valid",
    sentence: "The authorization code is no longer valid.",
  },
  redirectUriDiffers: {
    wire: badGrant("The redirect URI differs from the one of the authorization request."),
    parameter: "redirect_uri",
    label: "Redirect URI differs from the request",
    sentence: "The redirect_uri differs from the one of the authorization request.",
  },
  verifierWrong: {
    wire: badGrant("The code verifier does not match the code challenge."),
    parameter: "code_verifier",
    label: "PKCE verification failed",
    sentence: "The code_verifier does not match the code_challenge.",
  },
  refreshTokenUnknown: {
    wire: badGrant("The refresh token is not valid."),
    parameter: "refresh_token",
    label: "Unknown refresh token",
    sentence: "The refresh token is unknown.",
  },
  refreshTokenOfAnotherClient: {
    wire: badGrant("The refresh token is not valid."),
    parameter: "refresh_token",
    label: "Refresh token of another app",
    sentence: "The refresh token belongs to another app.",
  },
  refreshTokenRetired: {
    wire: badGrant("The refresh token was already used."),
    parameter: "refresh_token",
    label: "Retired refresh token",
    sentence: "The refresh token was retired by a later refresh.",
  },
  refreshTokenReused: {
    wire: badGrant("The refresh token was used again after its retirement; the credential is revoked."),
    parameter: "refresh_token",
    label: "Refresh token reuse detected",
    sentence: "A retired refresh token was used after its grace period; the credential was revoked.",
  },
  credentialRevoked: {
    wire: badGrant("The credential was revoked."),
    label: "Access revoked",
    sentence: "The credential was revoked.",
  },
  credentialEnded: {
    wire: badGrant("The credential has reached the end of its life."),
    label: "Access ended",
    sentence: "The credential reached the end of its life.",
  },
  accountUnavailable: {
    wire: badGrant("The account is not available."),
    label: "Account disabled or removed",
    sentence: "The account was disabled or removed.",
  },
  appNotForAccount: {
    wire: badGrant("The account may not use the app."),
    label: "App for other groups",
    sentence: "The app is for groups, and the account was in none of them.",
  },

  // Device codes. RFC 8628 §3.5.
  deviceFlowOff: {
    wire: wire(400, "unauthorized_client", "The client may not use this grant type."),
    label: "Device flow switched off",
    sentence: "An administrator switched the device flow off for the app.",
  },
  deviceCodeUnknown: {
    wire: badGrant("The device code is not valid."),
    parameter: "device_code",
    label: "Unknown device code",
    sentence: "The device code is unknown.",
  },
  deviceCodeOfAnotherClient: {
    wire: badGrant("The device code is not valid."),
    parameter: "device_code",
    label: "Device code of another app",
    sentence: "The device code belongs to another app.",
  },
  devicePending: {
    wire: wire(400, "authorization_pending", "The request has not been answered yet."),
    label: "Device waits for approval",
    sentence: "The device grant is not answered yet.",
  },
  devicePolledEarly: {
    wire: wire(400, "slow_down", "The poll came too soon after the one before."),
    label: "Device polled too soon",
    sentence: "The device code was polled faster than its interval.",
  },
  deviceDenied: {
    wire: wire(400, "access_denied", "The account holder refused."),
    label: "Device refused",
    sentence: "The account holder refused the device.",
  },
  deviceApprovalVoid: {
    wire: wire(400, "access_denied", "The request cannot be granted any more."),
    label: "Device approval no longer valid",
    sentence:
      "The account that approved the device was disabled or removed, or the app may not step up any more.",
  },
  deviceExpired: {
    wire: wire(400, "expired_token", "The device code has expired."),
    parameter: "device_code",
    label: "Device code expired",
    sentence: "The device code has expired.",
  },
  deviceRedeemed: {
    wire: badGrant("The device code was already used."),
    parameter: "device_code",
    label: "Device code used again",
    sentence: "The device code was used before.",
  },

  // Step-ups.
  stepUpNotAllowed: {
    wire: wire(403, "access_denied", "The app is not allowed to ask for a step-up."),
    label: "Step-up not allowed",
    sentence: "The app may not ask for step-up.",
  },

  // Protected resources. RFC 6750 §3.1, RFC 9470 §3.
  accessTokenMissing: {
    wire: wire(401, "invalid_token", "The request carries no access token."),
    parameter: "Authorization",
    label: "Access token missing",
    sentence: "No access token was sent.",
  },
  accessTokenInvalid: {
    wire: wire(401, "invalid_token", "The access token is not valid."),
    parameter: "Authorization",
    label: "Invalid access token",
    sentence: "The access token is not valid.",
  },
  accessTokenForAnotherResource: {
    wire: wire(401, "invalid_token", "The access token is meant for another resource."),
    parameter: "Authorization",
    label: "Access token for another resource",
    sentence: "The access token is meant for other resources.",
  },
  permissionLacking: {
    wire: wire(403, "insufficient_scope", "The credential lacks a permission that this needs."),
    label: "Permission missing",
    sentence: "The credential does not reach a permission that is needed.",
  },
  // Divergence: D-17, the status is not 401, because the token is valid.
  elevationLacking: {
    wire: wire(400, "insufficient_user_authentication", "This needs a factor proven recently."),
    label: "Re-authentication needed",
    sentence: "A recently proven factor is needed.",
  },
} as const satisfies Readonly<Record<Reason, Row>>

export function wireError(reason: Reason): WireError {
  return reasons[reason].wire
}

/** Returns the label of a reason. Null stands for all reasons without their own entry. */
export function labelOf(reason: Reason | null): string {
  return reason === null ? "Everything else" : reasons[reason].label
}

/**
 * The response while the store is unavailable. The client must assume that the token still exists (RFC 7009 §2.2.1).
 * Divergence: D-14, the token endpoint also uses this code of the authorization endpoint.
 */
export const unavailable = wire(503, "temporarily_unavailable", "The service cannot answer right now.")
