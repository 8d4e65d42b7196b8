/** Reasons and outcomes on plots and in lists, in words of somebody who runs a service and writes none. */
import type { Reason } from "../oauth/refusal.rules.ts"

/** Short enough for the legend of a plot; every reason has words of its own. */
const reasons: { readonly [K in Reason]: string } = {
  methodNotAllowed: "Wrong kind of request",
  addressMalformed: "Unreadable address",
  bodyNotForm: "Sent something other than a form",
  bodyTooLarge: "Sent too much",
  parameterMissing: "Left something out of the request",
  parameterRepeated: "Said something twice in the request",
  parameterMalformed: "Unreadable value in the request",
  budgetSpent: "Too many requests from one address",

  clientMissing: "Did not say which app it is",
  clientConflict: "Named two different apps",
  clientAuthenticatedTwice: "Sent its secret in two ways",
  authorizationMalformed: "Unreadable sign-in of the app",
  clientUnknown: "App not registered here",
  clientDisabled: "App is disabled",
  clientSecretMissing: "Secret left out",
  clientSecretWrong: "Wrong secret",
  clientHasNoSecret: "Sent a secret, has none",
  tokenOfAnotherClient: "Token of another app",
  notAResourceServer: "Asked about tokens, is no API",
  streamsSpent: "Too many streams of one API",

  redirectUriUnregistered: "Redirect address not registered",
  responseTypeUnsupported: "Asked for a flow that is not offered",
  challengeMethodUnsupported: "Sign-in without a safe challenge",
  resourceMalformed: "Unreadable address of an API",
  accessDenied: "Somebody refused consent",

  bodyNotJson: "Sent something other than JSON",
  redirectUriUnregisterable: "Registered an unusable redirect address",
  clientMetadataInvalid: "Registered with values that are wrong",

  scopeMalformed: "Unreadable list of permissions",
  scopeUnknown: "Asked for an unknown permission",
  scopeOverCeiling: "Asked for more than it is registered for",
  scopeOverReach: "Asked for more than it holds",
  scopeEmpty: "Nothing left that it may have",

  grantTypeUnsupported: "Way of getting tokens not offered",
  codeUnknown: "Unknown sign-in code",
  codeOfAnotherClient: "Sign-in code of another app",
  codeExpired: "Sign-in code too late",
  codeReplayed: "Sign-in code sent twice",
  codeVoid: "Sign-in code no longer valid",
  redirectUriDiffers: "Redirect address changed on the way",
  verifierWrong: "Answer does not fit the challenge",
  refreshTokenUnknown: "Unknown refresh token",
  refreshTokenOfAnotherClient: "Refresh token of another app",
  refreshTokenRetired: "Old refresh token of access that is over",
  refreshTokenReused: "Old refresh token used again",
  credentialRevoked: "Access was taken away",
  credentialEnded: "Access has ended",
  accountUnavailable: "Account disabled or removed",

  deviceCodeUnknown: "Unknown device code",
  deviceCodeOfAnotherClient: "Device code of another app",
  devicePending: "Device is waiting for an answer",
  devicePolledEarly: "Device asked again too soon",
  deviceDenied: "Somebody refused the device",
  deviceApprovalVoid:
    "Approved by an account that was disabled or removed, or a step-up that is not allowed any more",
  deviceExpired: "Device code too late",
  deviceRedeemed: "Device code used already",

  stepUpNotAllowed: "May not ask for a step-up",

  accessTokenMissing: "No access token sent",
  accessTokenInvalid: "Access token not valid",
  accessTokenForAnotherResource: "Access token meant for another API",
  permissionLacking: "Permission missing",
  elevationLacking: "Second factor needed first",
}

/** Null is what is left over. */
export function reasonInWords(reason: Reason | null): string {
  return reason === null ? "Everything else" : reasons[reason]
}

const outcomes: ReadonlyMap<string, string> = new Map([
  ["asked", "Asked for"],
  ["approved", "Approved"],
  ["refused", "Refused"],
  ["expired", "Expired"],
  ["redeemed", "Fetched"],
])

export function outcomeInWords(outcome: string): string {
  return outcomes.get(outcome) ?? outcome
}
