import { test } from "node:test"
import assert from "node:assert/strict"
import { reasons, wireError } from "../../../src/model/refusals/reasons.rules.ts"
import { type ErrorCode, unavailable } from "../../../src/model/refusals/wire-error.rules.ts"
import type { Reason } from "../../../src/model/refusals/refusal.rules.ts"
import { isInstruction } from "../../support/instruction.ts"

const wires = {
  ...Object.fromEntries(Object.entries(reasons).map(([reason, { wire }]) => [reason, wire])),
  unavailable,
}

/** Checks that all reasons of a row have its status and code. */
function rowOf(status: number, error: ErrorCode, sameRow: readonly Reason[]): void {
  for (const reason of sameRow) {
    const wire = wireError(reason)
    assert.deepEqual({ status: wire.status, error: wire.error }, { status, error }, reason)
  }
}

const clientReasons = [
  "authorizationMalformed",
  "clientUnknown",
  "clientDisabled",
  "clientSecretMissing",
  "clientSecretWrong",
  "clientHasNoSecret",
  "tokenOfAnotherClient",
] as const
const grantReasons = [
  "codeUnknown",
  "codeOfAnotherClient",
  "codeExpired",
  "codeReplayed",
  "codeVoid",
  "redirectUriDiffers",
  "verifierWrong",
  "refreshTokenUnknown",
  "refreshTokenOfAnotherClient",
  "refreshTokenRetired",
  "refreshTokenReused",
  "credentialRevoked",
  "credentialEnded",
  "accountUnavailable",
] as const
const scopeReasons = [
  "scopeMalformed",
  "scopeUnknown",
  "scopeOverCeiling",
  "scopeOverReach",
  "scopeEmpty",
] as const
const requestReasons = [
  "bodyNotForm",
  "parameterMissing",
  "parameterRepeated",
  "parameterMalformed",
  "clientMissing",
  "hintConflict",
  "clientConflict",
  "clientAuthenticatedTwice",
  "redirectUriUnregistered",
  "challengeMethodUnsupported",
] as const

test("ERR-1 a client that failed to authenticate: 401 invalid_client", () => {
  rowOf(401, "invalid_client", clientReasons)
})

test("ERR-2 a grant that is over: 400 invalid_grant", () => {
  rowOf(400, "invalid_grant", grantReasons)
})

test("ERR-3 a scope that cannot be had: 400 invalid_scope", () => {
  rowOf(400, "invalid_scope", scopeReasons)
})

test("ERR-4 a malformed request: 400 invalid_request", () => {
  rowOf(400, "invalid_request", requestReasons)
})

test("ERR-9 the budget is spent: 429 slow_down", () => {
  rowOf(429, "slow_down", ["budgetSpent"])
})

test("ERR-10 the other rows of RFC 6749 §5.2 and §4.1.2.1, RFC 8707 and HTTP itself", () => {
  rowOf(400, "unsupported_grant_type", ["grantTypeUnsupported"])
  rowOf(400, "unsupported_response_type", ["responseTypeUnsupported"])
  rowOf(400, "access_denied", ["accessDenied"])
  rowOf(400, "request_not_supported", ["requestObjectUnsupported"])
  rowOf(400, "request_uri_not_supported", ["requestUriUnsupported"])
  rowOf(400, "login_required", ["loginRequired"])
  rowOf(400, "consent_required", ["consentRequired"])
  rowOf(400, "invalid_target", ["resourceMalformed"])
  rowOf(405, "invalid_request", ["methodNotAllowed"])
  rowOf(413, "invalid_request", ["bodyTooLarge"])
  rowOf(403, "unauthorized_client", ["notAResourceServer"])
})

test("API-3 the errors of protected addresses", () => {
  rowOf(401, "invalid_token", ["accessTokenMissing", "accessTokenInvalid", "accessTokenForAnotherResource"])
  rowOf(403, "insufficient_scope", ["permissionLacking"])
  rowOf(400, "insufficient_user_authentication", ["elevationLacking"])
})

test("ERR-10 among the errors of the token endpoint only invalid_client is 401, and the rest are 400", () => {
  for (const reason of [...clientReasons, ...grantReasons, ...scopeReasons, ...requestReasons]) {
    const { status, error } = wireError(reason)
    assert.equal(status, error === "invalid_client" ? 401 : 400, reason)
  }
})

test("ERR-11 descriptions are constant sentences in the characters that the RFC allows", () => {
  for (const [reason, { description }] of Object.entries(wires)) {
    assert.match(description, /^[A-Z][\x20\x21\x23-\x5b\x5d-\x7e]*\.$/, reason)
    assert.doesNotMatch(description, /\$\{|%s|undefined/, reason)
  }
})

test("ERR-11, MISC-1 descriptions state facts and give no instructions", () => {
  for (const [reason, { description }] of Object.entries(wires)) {
    assert.equal(isInstruction(description), false, `${reason}: ${description}`)
  }
})

test("ERR-11 an instruction is recognized wherever it is in a description", () => {
  for (const instruction of [
    "Register each address in full.",
    "The code has expired. Authorize again.",
    "The host is an IPv6 literal: register another.",
    "The address must be absolute.",
    "The address has to begin with a scheme.",
    "Wait, then repeat the request.",
    "Please authenticate.",
  ])
    assert.equal(isInstruction(instruction), true, instruction)
  for (const fact of ["The address has a wildcard (*).", "The request was already read.", "The use is over."])
    assert.equal(isInstruction(fact), false, fact)
})

test("every reason has a label of its own, in plots and lists", () => {
  const labels = Object.values(reasons).map(({ label }) => label)
  assert.equal(new Set(labels).size, labels.length)
})
