/**
 * `private_key_jwt`: RFC 7521 §4.2, RFC 7523 §3 and its successor draft; interface KEY-4. It is a statement
 * (`platform/statements`) of a client about itself. Its claims have the client as issuer and subject.
 */
import type { ClientId } from "../../kernel/ids.ts"
import { ASSERTION_LENGTH_AT_MOST, ASSERTION_SECONDS_AT_MOST } from "../../kernel/limits.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import { endpoints } from "../../model/refusals/endpoints.rules.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import type { Expected } from "../../platform/statements/judge.rules.ts"
import {
  type DecodeBase64Url,
  parseStatement,
  type Statement,
  type StatementFault,
} from "../../platform/statements/statement.rules.ts"
import { parseClientId } from "./resolve.rules.ts"

export const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

/** A parsed assertion. Its content is not verified. */
export type Assertion = Statement & {
  /** The issuer, which is also the subject. */
  readonly clientId: ClientId
}

const FORM = {
  types: [null, "jwt", "client-authentication+jwt"],
  lengthAtMost: ASSERTION_LENGTH_AT_MOST,
} as const

/**
 * Parses an assertion. `namedId` is the parameter `client_id`. If it was sent, it must equal the issuer. RFC 7521 §4.2.
 * Refuses: assertionTooLong, assertionTypeUnsupported, assertionMalformed, assertionIssuerWrong, clientUnknown.
 */
export function parseAssertion(
  jwt: string | undefined,
  type: string | undefined,
  namedId: string | undefined,
  decode: DecodeBase64Url,
): Result<Assertion, Refusal> {
  const parsed = parseStatement(jwt, decode, FORM)
  const isTooLong = !parsed.ok && parsed.error === "tooLong"
  if (!isTooLong && type !== ASSERTION_TYPE) return err({ reason: "assertionTypeUnsupported" })
  if (!parsed.ok) return err(assertionRefusal(parsed.error))
  const { claims } = parsed.value
  const issuer = claims.get("iss")
  if (typeof issuer !== "string" || claims.get("sub") !== issuer || (namedId ?? issuer) !== issuer)
    return err({ reason: "assertionIssuerWrong" })
  const clientId = parseClientId(issuer)
  return clientId === null ? err({ reason: "clientUnknown" }) : ok({ ...parsed.value, clientId })
}

/** What an assertion for `issuer` must say. Divergence: D-19, the token endpoint is also an audience. */
export function expectedOf(clientId: ClientId, issuer: string): Expected {
  return {
    issuer: clientId,
    audiences: [issuer, issuer + endpoints.token_endpoint],
    secondsAtMost: ASSERTION_SECONDS_AT_MOST,
    needsIssuedAt: false,
    needsId: true,
  }
}

export function assertionRefusal(fault: StatementFault): Refusal {
  return { reason: reasons[fault] }
}

const reasons = {
  tooLong: "assertionTooLong",
  malformed: "assertionMalformed",
  typeWrong: "assertionMalformed",
  algorithmRefused: "assertionAlgorithmRefused",
  keyUnknown: "assertionKeyUnknown",
  keysUnavailable: "clientKeysUnavailable",
  signatureWrong: "assertionSignatureWrong",
  issuerWrong: "assertionIssuerWrong",
  audienceWrong: "assertionAudienceWrong",
  expired: "assertionExpired",
  notYetValid: "assertionNotYetValid",
  lifetimeTooLong: "assertionLifetimeTooLong",
  idMissing: "assertionIdMissing",
  replayed: "assertionReplayed",
} as const satisfies Record<StatementFault, Refusal["reason"]>
