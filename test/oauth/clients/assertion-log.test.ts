/** The response is the same for every failed assertion. The log says which check failed, but contains no assertion. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { assertRefused } from "../../support/answers.ts"
import { send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { recordLog } from "../../support/record-log.ts"
import { ASSERTION_TYPE, Signer } from "../../support/signer.ts"

test("KEY-1 each failure is one answer, and one reason in the log", async (t) => {
  const { log, lines } = recordLog()
  const { testServer } = await fixture({ log, span: t })
  const [signer, stranger] = [await Signer.make(), await Signer.make()]
  const app = await testServer.addApp({ keys: signer.keys })
  const other = await testServer.addApp({ type: "confidential" })
  const now = testServer.clock.now()
  const sign = (claims: object = {}, header = {}, { from = signer, by = app } = {}) =>
    from.authenticates(by.clientId, testServer.issuer, now, { ...claims }, header)
  const plain = await sign()
  const spent = await sign()
  await send(testServer, "/oauth/revoke", { token: "x", ...spent })
  const failures: readonly (readonly [string, Record<string, string>])[] = [
    ["clientAssertionMissing", { client_id: app.clientId }],
    ["clientHasNoKey", await sign({}, {}, { by: other })],
    ["assertionTooLong", { ...plain, client_assertion: "a".repeat(16 * 1024 + 1) }],
    ["assertionTypeUnsupported", { client_assertion: plain["client_assertion"] ?? "" }],
    ["assertionMalformed", { client_assertion_type: ASSERTION_TYPE }],
    ["assertionMalformed", await sign({}, { typ: "at+jwt" })],
    ["assertionIssuerWrong", { ...plain, client_id: other.clientId }],
    ["clientUnknown", await sign({ iss: "x", sub: "x" })],
    [
      "assertionAlgorithmRefused",
      await Signer.make("PS256").then((from) => sign({}, { kid: signer.kid }, { from })),
    ],
    ["assertionKeyUnknown", await sign({}, { kid: "unknown" })],
    ["assertionSignatureWrong", await sign({}, { kid: signer.kid }, { from: stranger })],
    ["assertionAudienceWrong", await sign({ aud: "https://other.example" })],
    ["assertionExpired", await sign({ exp: now - 30 })],
    ["assertionNotYetValid", await sign({ nbf: now + 31 })],
    ["assertionLifetimeTooLong", await sign({ exp: now + 601 })],
    ["assertionIdMissing", await sign({ jti: "" })],
    ["assertionReplayed", { ...spent, more: "x" }],
  ]
  for (const [reason, fields] of failures) {
    lines.length = 0
    const answer = await send(testServer, "/oauth/revoke", { token: "x", ...fields })
    assertRefused(answer, 401, "invalid_client", reason)
    assert.equal(answer.body["error_description"], "Client authentication failed.")
    const logged = JSON.stringify(lines)
    assert.ok(logged.includes(`"refusal":"${reason}"`), `${reason}: ${logged}`)
    const assertion = fields["client_assertion"]
    assert.ok(assertion === undefined || !logged.includes(assertion))
  }
})
