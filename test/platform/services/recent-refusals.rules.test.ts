import { test } from "node:test"
import assert from "node:assert/strict"
import type { ClientId } from "../../../src/kernel/ids.ts"
import { parameterOf, RecentRefusals } from "../../../src/platform/services/recent-refusals.rules.ts"

const id = (n: number) => `app${n}` as ClientId

test("HELP-1 the latest twenty refusals of an app are kept, the newest first", () => {
  const recent = new RecentRefusals()
  for (let n = 0; n < 25; n++) recent.add(id(1), { reason: "scopeUnknown" }, `request${n}`, n)
  assert.deepEqual(
    recent.of(id(1)).map(({ requestId }) => requestId),
    Array.from({ length: 20 }, (_, n) => `request${24 - n}`),
  )
  assert.deepEqual(recent.of(id(2)), [])
})

test("HELP-1 a refusal is kept with its time, its reason and the name of its parameter, and nothing else", () => {
  const recent = new RecentRefusals()
  recent.add(id(1), { reason: "parameterMissing", parameter: "code" }, "a", 10)
  recent.add(id(1), { reason: "codeExpired", tokenId: "secret" }, "b", 11)
  recent.add(id(1), { reason: "clientMetadataInvalid", description: "secret" }, "c", 12)
  assert.deepEqual(recent.of(id(1)), [
    { at: 12, reason: "clientMetadataInvalid", parameter: null, requestId: "c" },
    { at: 11, reason: "codeExpired", parameter: "code", requestId: "b" },
    { at: 10, reason: "parameterMissing", parameter: "code", requestId: "a" },
  ])
})

test("HELP-1 a poll that waits as it should is no refusal to show", () => {
  const recent = new RecentRefusals()
  recent.add(id(1), { reason: "devicePending" }, "a", 10)
  assert.deepEqual(recent.of(id(1)), [])
})

test("HELP-1 refusals of a thousand apps are kept: those of the app that was refused longest ago go", () => {
  const recent = new RecentRefusals()
  for (let n = 0; n < 1000; n++) recent.add(id(n), { reason: "scopeUnknown" }, "a", n)
  recent.add(id(0), { reason: "scopeUnknown" }, "b", 1000)
  for (let n = 1000; n < 1100; n++) recent.add(id(n), { reason: "scopeUnknown" }, "c", n)
  assert.equal(recent.of(id(0)).length, 2)
  assert.equal(recent.of(id(1)).length, 0)
  assert.equal(recent.of(id(100)).length, 0)
  assert.equal(recent.of(id(101)).length, 1)
})

test("HELP-1 a refusal names the parameter that it is about", () => {
  const tokenId = "t"
  assert.equal(parameterOf({ reason: "parameterMissing", parameter: "state" }), "state")
  assert.equal(parameterOf({ reason: "scopeOverCeiling" }), "scope")
  assert.equal(
    parameterOf({ reason: "redirectUriUnregistered", address: "https://a.example/" }),
    "redirect_uri",
  )
  assert.equal(parameterOf({ reason: "redirectUriUnregisterable", description: "" }), "redirect_uris")
  assert.equal(parameterOf({ reason: "verifierWrong", tokenId }), "code_verifier")
  assert.equal(parameterOf({ reason: "refreshTokenReused", tokenId }), "refresh_token")
  assert.equal(parameterOf({ reason: "deviceCodeUnknown" }), "device_code")
  assert.equal(parameterOf({ reason: "clientSecretWrong" }), "client_secret")
  assert.equal(parameterOf({ reason: "tokenOfAnotherClient", tokenId }), "token")
  assert.equal(parameterOf({ reason: "accessTokenInvalid" }), "Authorization")
  assert.equal(parameterOf({ reason: "bodyTooLarge" }), null)
})
