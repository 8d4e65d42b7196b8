/**
 * Every refusal of the service, with the facts for the log. The wire sees only its row in `reasons.rules.ts`.
 * Facts are identifiers and names of parameters, never a value that a client sent and never a secret.
 */
import type { FormRefusal } from "../kernel/form.ts"

export type Refusal =
  // the shape of the request
  | FormRefusal
  | { readonly reason: "methodNotAllowed"; readonly allow: string }
  | { readonly reason: "addressMalformed" }
  | { readonly reason: "bodyNotForm" }
  | { readonly reason: "bodyTooLarge" }
  | { readonly reason: "parameterMalformed"; readonly parameter: string }
  | { readonly reason: "budgetSpent"; readonly retryAfterSeconds: number }
  // the client
  | { readonly reason: "clientMissing" }
  | { readonly reason: "clientConflict" }
  | { readonly reason: "clientAuthenticatedTwice" }
  | { readonly reason: "authorizationMalformed" }
  | { readonly reason: "clientUnknown" }
  | { readonly reason: "clientDisabled" }
  | { readonly reason: "clientSecretMissing" }
  | { readonly reason: "clientSecretWrong" }
  | { readonly reason: "clientHasNoSecret" }
  | { readonly reason: "tokenOfAnotherClient"; readonly tokenId: string }
  | { readonly reason: "notAResourceServer" }
  | { readonly reason: "streamsSpent" }
  // the authorization request
  | { readonly reason: "redirectUriUnregistered" }
  | { readonly reason: "responseTypeUnsupported" }
  | { readonly reason: "challengeMethodUnsupported" }
  | { readonly reason: "resourceMalformed" }
  | { readonly reason: "accessDenied" }
  // the registration of an app by itself; `description` names the member and its problem, for the app and not for the log
  | { readonly reason: "bodyNotJson" }
  | { readonly reason: "redirectUriUnregisterable"; readonly description: string }
  | { readonly reason: "clientMetadataInvalid"; readonly description: string }
  // permissions
  | { readonly reason: "scopeMalformed" }
  | { readonly reason: "scopeUnknown" }
  | { readonly reason: "scopeOverCeiling" }
  | { readonly reason: "scopeOverReach" }
  | { readonly reason: "scopeEmpty" }
  // the grant
  | { readonly reason: "grantTypeUnsupported" }
  | { readonly reason: "codeUnknown" }
  | { readonly reason: "codeOfAnotherClient"; readonly tokenId: string }
  | { readonly reason: "codeExpired"; readonly tokenId: string }
  | { readonly reason: "codeReplayed"; readonly tokenId: string }
  | { readonly reason: "codeVoid"; readonly tokenId: string }
  | { readonly reason: "redirectUriDiffers"; readonly tokenId: string }
  | { readonly reason: "verifierWrong"; readonly tokenId: string }
  | { readonly reason: "refreshTokenUnknown" }
  | { readonly reason: "refreshTokenOfAnotherClient"; readonly tokenId: string }
  | { readonly reason: "refreshTokenRetired"; readonly tokenId: string }
  | { readonly reason: "refreshTokenReused"; readonly tokenId: string }
  | { readonly reason: "credentialRevoked"; readonly tokenId: string }
  | { readonly reason: "credentialEnded"; readonly tokenId: string }
  | { readonly reason: "accountUnavailable"; readonly tokenId: string }
  // the device grant
  | { readonly reason: "deviceCodeUnknown" }
  | { readonly reason: "deviceCodeOfAnotherClient"; readonly grantId: string }
  | { readonly reason: "devicePending" }
  | { readonly reason: "devicePolledEarly"; readonly interval: number }
  | { readonly reason: "deviceDenied"; readonly grantId: string }
  | { readonly reason: "deviceApprovalVoid"; readonly grantId: string }
  | { readonly reason: "deviceExpired"; readonly grantId: string }
  | { readonly reason: "deviceRedeemed"; readonly grantId: string }
  // the step-up
  | { readonly reason: "stepUpNotAllowed" }
  // a protected address
  | { readonly reason: "accessTokenMissing" }
  | { readonly reason: "accessTokenInvalid" }
  | { readonly reason: "accessTokenForAnotherResource" }
  | { readonly reason: "permissionLacking"; readonly needed: readonly string[] }
  | { readonly reason: "elevationLacking" }

export type Reason = Refusal["reason"]
