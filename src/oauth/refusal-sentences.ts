/** Each refusal in a sentence for the developer of the app that was refused. */
import { RESOURCES_AT_MOST } from "../kernel/limits.ts"
import type { Reason } from "../oauth/refusal.rules.ts"
import { type Html, html } from "../kernel/html.ts"

/** Where a reason has many parameters, the sentence has room for the name. */
const PARAMETER = "{parameter}"

const sentences: { readonly [K in Reason]: string } = {
  methodNotAllowed: "The HTTP method is not one that this address answers.",
  addressMalformed: "The address of the request could not be read.",
  bodyNotForm: "The body is not application/x-www-form-urlencoded, or its encoding is broken.",
  bodyTooLarge: "The body is larger than this address takes.",
  parameterMissing: "The required parameter {parameter} is missing.",
  parameterRepeated: "The parameter {parameter} was sent more than once.",
  parameterMalformed: "The value of {parameter} is not valid.",
  budgetSpent: "Too many requests came from one network address.",

  clientMissing: "No client_id was sent.",
  clientConflict: "The client_id in the body is not the one of the Authorization header.",
  clientAuthenticatedTwice: "The client secret was sent in the header and in the body.",
  authorizationMalformed: "The Authorization header could not be read.",
  clientUnknown: "The client_id is not registered.",
  clientDisabled: "The app is disabled.",
  clientSecretMissing: "The app is confidential and sent no client secret.",
  clientSecretWrong: "The client secret is wrong.",
  clientHasNoSecret: "The app is public and sent a client secret.",
  tokenOfAnotherClient: "The token belongs to another app.",
  notAResourceServer: "The app is not a resource server, so it may not introspect tokens.",
  streamsSpent: "The app has too many event streams open.",

  redirectUriUnregistered: "The redirect_uri is not registered for the app.",
  responseTypeUnsupported: "The response_type is not code.",
  challengeMethodUnsupported: "The code_challenge_method is not S256.",
  resourceMalformed: `A resource is not an absolute address, or there are more than ${RESOURCES_AT_MOST}.`,
  accessDenied: "The account holder refused.",

  bodyNotJson: "The body is not JSON.",
  redirectUriUnregisterable: "A redirect address cannot be registered.",
  clientMetadataInvalid: "A member of the registration is not valid.",

  scopeMalformed: "The scope could not be read.",
  scopeUnknown: "The scope names a permission that does not exist.",
  scopeOverCeiling: "The scope names a permission that the app is not registered for.",
  scopeOverReach: "The scope names a permission that the credential does not reach.",
  scopeEmpty: "No permission is left that could be granted.",

  grantTypeUnsupported: "The grant_type is not supported.",
  codeUnknown: "The authorization code is unknown.",
  codeOfAnotherClient: "The authorization code belongs to another app.",
  codeExpired: "The authorization code has expired.",
  codeReplayed: "The authorization code was used before; the credential was revoked.",
  codeVoid: "The authorization code is no longer valid.",
  redirectUriDiffers: "The redirect_uri differs from the one of the authorization request.",
  verifierWrong: "The code_verifier does not match the code_challenge.",
  refreshTokenUnknown: "The refresh token is unknown.",
  refreshTokenOfAnotherClient: "The refresh token belongs to another app.",
  refreshTokenRetired: "The refresh token was retired by a later refresh.",
  refreshTokenReused: "A retired refresh token was used after its grace period; the credential was revoked.",
  credentialRevoked: "The credential was revoked.",
  credentialEnded: "The credential reached the end of its life.",
  accountUnavailable: "The account was disabled or removed.",

  deviceCodeUnknown: "The device code is unknown.",
  deviceCodeOfAnotherClient: "The device code belongs to another app.",
  devicePending: "The device grant is not answered yet.",
  devicePolledEarly: "The device code was polled faster than its interval.",
  deviceDenied: "The account holder refused the device.",
  deviceApprovalVoid:
    "The account that approved the device was disabled or removed, or the app may not step up any more.",
  deviceExpired: "The device code has expired.",
  deviceRedeemed: "The device code was used before.",

  stepUpNotAllowed: "The app may not ask for step-up.",

  accessTokenMissing: "No access token was sent.",
  accessTokenInvalid: "The access token is not valid.",
  accessTokenForAnotherResource: "The access token is meant for other resources.",
  permissionLacking: "The credential does not reach a permission that is needed.",
  elevationLacking: "A recently proven factor is needed.",
}

export function refusalSentence(reason: Reason, parameter: string | null): Html {
  const [before, after] = sentences[reason].split(PARAMETER)
  return after === undefined ? html`${before}` : html`${before}<code>${parameter}</code>${after}`
}

/** Whether the sentence names the parameter itself, as it was sent. */
export function isNamedIn(reason: Reason): boolean {
  return sentences[reason].includes(PARAMETER)
}
