/** The reasons of authorization and registration requests. RFC 6749 §4.1.2.1, RFC 8707 §2, RFC 7591 §3.2.2; interface ERR-3. */
import { RESOURCES_AT_MOST } from "../../kernel/limits.ts"
import type { Reason } from "./refusal.rules.ts"
import { badRequest, badScope, unknownTarget, wire, type Row } from "./wire-error.rules.ts"

export const authorizationReasons = {
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
} as const satisfies { readonly [R in Reason]?: Row }
