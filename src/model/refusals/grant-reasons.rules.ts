/** The reasons of codes, refresh tokens and devices. RFC 6749 §5.2, RFC 8628 §3.5; interface ERR-2. */
import type { Reason } from "./refusal.rules.ts"
import { badGrant, wire, type Row } from "./wire-error.rules.ts"

export const grantReasons = {
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
  clientNotListed: {
    wire: wire(400, "unauthorized_client", "The client may not use this grant type."),
    parameter: "grant_type",
    label: "App that no organization connects",
    sentence: "The app is public, or assertions of no sign-in provider list it.",
  },
  identityAssertionRefused: {
    wire: badGrant("The assertion is not valid."),
    parameter: "assertion",
    label: "Assertion of an organization refused",
    sentence:
      "The assertion, or the account that it names, is not as it has to be. The log says what is wrong.",
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
} as const satisfies { readonly [R in Reason]?: Row }
