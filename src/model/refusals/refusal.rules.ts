/**
 * Lists every refusal of the OAuth endpoints, with its facts. `reasons.rules.ts` has the status, the error code and the
 * text of each. The facts that are logged are identifiers, parameter names and texts of this service. They contain no
 * secret and no other value from a client, except an unregistered redirect address without its query.
 */
import type { FormRefusal } from "../../kernel/form.ts"

export type Refusal =
  // malformed requests
  | FormRefusal
  | { readonly reason: "methodNotAllowed"; readonly allow: string }
  | { readonly reason: "addressMalformed" }
  /** If one parameter is malformed, its name, and the place of the first wrong character, from 1. */
  | {
      readonly reason: "bodyNotForm"
      readonly parameter?: string
      readonly place?: number
      readonly isSpace?: boolean
    }
  | { readonly reason: "bodyTooLarge" }
  | { readonly reason: "parameterMalformed"; readonly parameter: string }
  | { readonly reason: "hintConflict" }
  | { readonly reason: "budgetSpent"; readonly retryAfterSeconds: number }
  // client authentication
  | { readonly reason: "clientMissing" }
  | { readonly reason: "clientConflict" }
  | { readonly reason: "clientAuthenticatedTwice" }
  | { readonly reason: "authorizationMalformed" }
  | { readonly reason: "clientUnknown" }
  | { readonly reason: "clientDisabled" }
  | { readonly reason: "clientSecretMissing" }
  | { readonly reason: "clientSecretWrong" }
  | { readonly reason: "clientHasNoSecret" }
  | { readonly reason: "clientAssertionMissing" }
  | { readonly reason: "clientHasNoKey" }
  | { readonly reason: "assertionTooLong" }
  | { readonly reason: "assertionTypeUnsupported" }
  | { readonly reason: "assertionMalformed" }
  | { readonly reason: "assertionIssuerWrong" }
  | { readonly reason: "assertionSubjectWrong" }
  | { readonly reason: "assertionAlgorithmRefused" }
  | { readonly reason: "assertionKeyUnknown" }
  | { readonly reason: "clientKeysUnavailable" }
  | { readonly reason: "assertionSignatureWrong" }
  | { readonly reason: "assertionAudienceWrong" }
  | { readonly reason: "assertionExpired" }
  | { readonly reason: "assertionNotYetValid" }
  | { readonly reason: "assertionLifetimeTooLong" }
  | { readonly reason: "assertionIdMissing" }
  | { readonly reason: "assertionReplayed" }
  | { readonly reason: "tokenOfAnotherClient"; readonly tokenId: string }
  | { readonly reason: "notAResourceServer" }
  | { readonly reason: "streamsSpent" }
  // documents of clients; `problem` is a text of this service
  | { readonly reason: "documentNotAllowed" }
  | { readonly reason: "documentBusy" }
  | { readonly reason: "documentUnavailable"; readonly problem: string }
  // authorization requests
  /** The address as pages and the log show it. */
  | { readonly reason: "redirectUriUnregistered"; readonly address: string }
  | { readonly reason: "responseTypeUnsupported" }
  | { readonly reason: "challengeMethodUnsupported" }
  | { readonly reason: "resourceMalformed" }
  | { readonly reason: "resourceUnknown" }
  | { readonly reason: "resourceDiffers" }
  | { readonly reason: "accessDenied" }
  | { readonly reason: "requestObjectUnsupported" }
  | { readonly reason: "requestUriUnsupported" }
  | { readonly reason: "loginRequired" }
  | { readonly reason: "consentRequired" }
  // registration requests; `description` tells the app which member is wrong and why, and is not logged
  | { readonly reason: "bodyNotJson" }
  | { readonly reason: "redirectUriUnregisterable"; readonly description: string }
  | { readonly reason: "clientMetadataInvalid"; readonly description: string }
  // permissions
  | { readonly reason: "scopeMalformed" }
  | { readonly reason: "scopeUnknown" }
  | { readonly reason: "scopeOverCeiling" }
  | { readonly reason: "scopeOverReach" }
  | { readonly reason: "scopeEmpty" }
  // authorization codes and refresh tokens
  | { readonly reason: "grantTypeUnsupported" }
  | { readonly reason: "clientNotBound" }
  | { readonly reason: "clientNotListed" }
  /** `fault` is a word of this service. */
  | { readonly reason: "identityAssertionRefused"; readonly fault: string }
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
  | { readonly reason: "appNotForAccount"; readonly tokenId: string }
  // device codes
  | { readonly reason: "deviceFlowOff" }
  | { readonly reason: "deviceCodeUnknown" }
  | { readonly reason: "deviceCodeOfAnotherClient"; readonly grantId: string }
  | { readonly reason: "devicePending" }
  | { readonly reason: "devicePolledEarly"; readonly interval: number }
  | { readonly reason: "deviceDenied"; readonly grantId: string }
  | { readonly reason: "deviceApprovalVoid"; readonly grantId: string }
  | { readonly reason: "deviceExpired"; readonly grantId: string }
  | { readonly reason: "deviceRedeemed"; readonly grantId: string }
  // step-ups
  | { readonly reason: "stepUpNotAllowed" }
  // protected resources
  | { readonly reason: "accessTokenMissing" }
  | { readonly reason: "accessTokenInvalid" }
  | { readonly reason: "accessTokenForAnotherResource" }
  | { readonly reason: "permissionLacking"; readonly needed: readonly string[] }
  | { readonly reason: "elevationLacking" }

export type Reason = Refusal["reason"]

/** Refusals of a client_id that any caller can invent. They are not counted for a client. */
export const OF_UNKNOWN_CLIENT: ReadonlySet<Reason> = new Set<Reason>([
  "clientUnknown",
  "documentNotAllowed",
  "documentBusy",
  "documentUnavailable",
])
