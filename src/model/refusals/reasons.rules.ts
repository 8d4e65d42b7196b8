/**
 * The table of reasons. Every refusal has a wire error, a label and an explanation. RFC 6749 §5.2 and §4.1.2.1, RFC
 * 6750 §3.1; interface ERR-1…ERR-9. `refusal.rules.ts` lists the facts that a refusal carries.
 */
import { authorizationReasons } from "./authorization-reasons.rules.ts"
import { clientReasons } from "./client-reasons.rules.ts"
import { grantReasons } from "./grant-reasons.rules.ts"
import type { Reason } from "./refusal.rules.ts"
import { badRequest, wire, type Row, type WireError } from "./wire-error.rules.ts"

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

  ...clientReasons,
  ...authorizationReasons,
  ...grantReasons,

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
