import { test } from "node:test"
import assert from "node:assert/strict"
import {
  connectionFailure,
  fetchFailure,
  isJsonType,
  statusFailure,
} from "../../../src/platform/outgoing/fetch-failure.rules.ts"

test("OUT-4 only a 200 counts; a redirect is not followed", () => {
  assert.equal(statusFailure(200), null)
  for (const status of [300, 301, 302, 303, 307, 308, 399])
    assert.deepEqual(statusFailure(status), {
      reason: "redirected",
      description: "The host answered with a redirect, which is not followed.",
      status,
    })
  for (const status of [100, 101, 199, 201, 204, 206, 299, 304, 400, 404, 500, 503])
    assert.deepEqual(statusFailure(status), {
      reason: "statusNotOk",
      description: `The host answered with status ${status}.`,
      status,
    })
})

test("OUT-7 a broken connection is described by its kind, in words of the service", () => {
  const reasons = (codes: readonly (string | undefined)[]) =>
    codes.map((code) => connectionFailure(code).reason)
  const certificate = [
    "CERT_HAS_EXPIRED",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "HOSTNAME_MISMATCH",
    "INVALID_CA",
    "INVALID_PURPOSE",
    "PATH_LENGTH_EXCEEDED",
    "CRL_HAS_EXPIRED",
  ]
  assert.deepEqual(new Set(reasons(certificate)), new Set(["certificateRefused"]))
  const connection = [undefined, "", "ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EPROTO"]
  assert.deepEqual(new Set(reasons(connection)), new Set(["connectionFailed"]))
  assert.deepEqual(reasons(["HPE_INVALID_CONSTANT", "HPE_HEADER_OVERFLOW"]), ["malformed", "tooLong"])
  assert.equal(
    connectionFailure("HPE_HEADER_OVERFLOW").description,
    "The headers of the answer are too long.",
  )
})

test("OUT-7 a failure has a sentence of its own, unless a detail replaces it", () => {
  assert.deepEqual(fetchFailure("notJson"), { reason: "notJson", description: "The answer is not JSON." })
  assert.deepEqual(fetchFailure("contentRefused", "It has no keys."), {
    reason: "contentRefused",
    description: "It has no keys.",
  })
})

test("OUT-4 JSON is application/json, or a type of application that ends in +json", () => {
  const good = [
    "application/json",
    "Application/JSON; charset=utf-8",
    "application/json ;x",
    "application/problem+json",
    "application/jwk-set+json",
    "application/vnd.a.b+json; v=1",
  ]
  for (const type of good) assert.equal(isJsonType(type), true, type)
  const bad = [
    undefined,
    "",
    "text/json",
    "application/jsonp",
    "application/json5",
    "application/+json",
    "application/x+json+xml",
    "text/html; application/json",
    " application/json",
    "application/json, text/html",
    "application/a b+json",
  ]
  for (const type of bad) assert.equal(isJsonType(type), false, type)
})
