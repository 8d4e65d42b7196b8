/** The reasons of client authentication. RFC 6749 §5.2; interface ERR-1. */
import type { Reason } from "./refusal.rules.ts"
import { badRequest, failedAuthentication, wire, type Row } from "./wire-error.rules.ts"

export const clientReasons = {
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
    sentence:
      "The claims iss and sub of the assertion are not both the client_id, or iss is not the workload's issuer.",
  },
  assertionSubjectWrong: {
    wire: failedAuthentication,
    parameter: "client_assertion",
    label: "Client assertion of another workload",
    sentence: "The sub of the platform's token does not match the subject of the app's workload.",
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
    sentence: "The keys of the app could not be fetched from its jwks_uri or its issuer.",
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
    sentence:
      "The aud of the assertion is not the issuer, or the audience of the app's workload, as its only value.",
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
    sentence:
      "The iat or nbf of the assertion is in the future, or a platform's token has no iat. Check the clock of the app's server.",
  },
  assertionLifetimeTooLong: {
    wire: failedAuthentication,
    parameter: "client_assertion",
    label: "Client assertion valid for too long",
    sentence: "The assertion is valid for more than ten minutes, or a platform's token for more than a day.",
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
} as const satisfies { readonly [R in Reason]?: Row }
