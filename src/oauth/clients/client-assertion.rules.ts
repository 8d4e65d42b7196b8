/**
 * `private_key_jwt`: RFC 7521 §4.2, RFC 7523 §3 and its successor draft; interface KEY-4. It is a statement
 * (`platform/statements`) of a client about itself. Its claims have the client as issuer and subject. If the client has
 * a workload, it is a statement of the platform about what runs there: WORK-3.
 */
import type { ClientId } from "../../kernel/ids.ts"
import { ASSERTION_LENGTH_AT_MOST, ASSERTION_SECONDS_AT_MOST } from "../../kernel/limits.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import { DAY } from "../../kernel/time.ts"
import { matchesSubject, type Workload } from "../../model/clients/workload.rules.ts"
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
  /** The issuer, which is also the subject. For the token of a platform, it is the parameter `client_id`. */
  readonly clientId: ClientId
}

const FORM = {
  types: [null, "jwt", "client-authentication+jwt"],
  lengthAtMost: ASSERTION_LENGTH_AT_MOST,
} as const

/**
 * Parses an assertion. `namedId` is the parameter `client_id`. It must equal the issuer of an assertion that a client
 * signed for itself (RFC 7521 §4.2), and a platform's token needs it.
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
  // A product's word about a person has one: LOGIN-4. It does not authenticate the product.
  if (claims.has("challenge")) return err({ reason: "assertionMalformed" })
  const issuer = claims.get("iss")
  const ownId = typeof issuer === "string" && claims.get("sub") === issuer ? issuer : undefined
  const id = namedId ?? ownId
  if (id === undefined || (ownId ?? id) !== id) return err({ reason: "assertionIssuerWrong" })
  const clientId = parseClientId(id)
  return clientId === null ? err({ reason: "clientUnknown" }) : ok({ ...parsed.value, clientId })
}

const PLATFORM_TYPE = /^(?:application\/)?jwt$/i

/**
 * Says why the assertion is not of this client. This is checked before its keys are looked for, so that a stranger's
 * token causes no request. Refuses: assertionMalformed, assertionIssuerWrong, assertionSubjectWrong.
 */
export function strangerProblem(
  { header, claims, clientId }: Assertion,
  workload: Workload | null,
): Refusal | null {
  const [type = "JWT", issuer, subject] = [header.get("typ"), claims.get("iss"), claims.get("sub")]
  if (workload === null)
    return issuer === clientId && subject === clientId ? null : { reason: "assertionIssuerWrong" }
  if (typeof type !== "string" || !PLATFORM_TYPE.test(type)) return { reason: "assertionMalformed" }
  if (issuer !== workload.issuer) return { reason: "assertionIssuerWrong" }
  const isRight = typeof subject === "string" && matchesSubject(workload.subject, subject)
  return isRight ? null : { reason: "assertionSubjectWrong" }
}

/** What an assertion for `issuer` must say. Divergence: D-19, the token endpoint is also an audience. */
export function expectedOf(clientId: ClientId, issuer: string, workload: Workload | null): Expected {
  if (workload !== null) {
    const audiences = [workload.audience]
    return { issuer: workload.issuer, audiences, secondsAtMost: DAY, needsId: false }
  }
  return {
    issuer: clientId,
    audiences: [issuer, issuer + endpoints.token_endpoint],
    secondsAtMost: ASSERTION_SECONDS_AT_MOST,
    needsIssuedAt: false,
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
