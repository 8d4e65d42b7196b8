import { test } from "node:test"
import assert from "node:assert/strict"
import {
  answerOfRefusal,
  type GateAnswer,
  headerMissing,
  NO_FAMILY,
  NOT_DECLARED,
  NOT_TRUSTED,
  PATH_REFUSED,
  UNCHECKED,
} from "../../src/gate/answer.rules.ts"

/** The headers of every answer of the gate itself. */
const OWN = [
  "Content-Type",
  "application/json",
  "Cache-Control",
  "no-store",
  "X-Content-Type-Options",
  "nosniff",
]
const errorOf = ({ body }: GateAnswer) =>
  (JSON.parse(body) as { error: Readonly<Record<string, unknown>> }).error

test("GATE-5 a refusal that no token changes is 403 without a challenge, and its message names no route", () => {
  const refusals = [NOT_TRUSTED, NO_FAMILY, NOT_DECLARED, PATH_REFUSED, headerMissing("X-Original-URI")]
  for (const answer of refusals) {
    assert.deepEqual([answer.status, answer.headers], [403, OWN])
    const { code, status, message } = errorOf(answer)
    assert.deepEqual([code, status], [403, "PERMISSION_DENIED"])
    assert.match(String(message), /^[A-Z][^{}]*\.$/)
  }
  const reasons = refusals.map(({ reason }) => reason)
  assert.deepEqual(reasons, ["notTrusted", "noFamily", "notDeclared", "pathRefused", "headerMissing"])
})

test("GATE-2 a missing header is named", () => {
  assert.equal(errorOf(headerMissing("Host"))["message"], "The header Host is missing, empty or repeated.")
})

test("GATE-7 a fault is 503, and the proxy may ask again", () => {
  assert.deepEqual([UNCHECKED.status, UNCHECKED.reason], [503, "fault"])
  assert.deepEqual(UNCHECKED.headers, [...OWN, "Retry-After", "2"])
  assert.deepEqual([errorOf(UNCHECKED)["code"], errorOf(UNCHECKED)["status"]], [503, "UNAVAILABLE"])
})

test("GATE-6 a status that a proxy would change becomes 401 for a malformed token, and 403 otherwise", () => {
  const statuses: readonly (readonly [reason: string, given: number, sent: number])[] = [
    ["tokenMissing", 401, 401],
    ["permissionLacking", 403, 403],
    ["serviceUnavailable", 503, 503],
    ["tokenMalformed", 400, 401],
    ["tokenMalformed", 403, 403],
    ["elevationLacking", 400, 403],
    ["elevationLacking", 412, 403],
    ["somethingNew", 500, 403],
    ["somethingNew", 200, 403],
  ]
  for (const [reason, status, sent] of statuses) {
    const answer = answerOfRefusal({
      reason,
      status,
      headers: { "www-authenticate": "Bearer", "retry-after": "2" },
      body: { error: { code: status, status: "X", message: "Why." } },
    })
    assert.deepEqual([answer.status, answer.reason], [sent, reason])
    assert.deepEqual(answer.headers, ["www-authenticate", "Bearer", "retry-after", "2"])
    assert.deepEqual(errorOf(answer), { code: sent, status: "X", message: "Why." })
  }
})
