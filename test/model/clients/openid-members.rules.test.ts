/** Tests what an app has for OpenID Connect: its defaults, its form, and what a record says of it. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { REDIRECT_URIS_AT_MOST } from "../../../src/kernel/limits.ts"
import {
  defaultOpenid,
  openidAfter,
  openidIn,
  recordedOpenid,
} from "../../../src/model/clients/openid-members.rules.ts"

const ADDRESS = "https://app.example/bye"

test("OIDC-10: what is left out of a change stays, and an address counts once", () => {
  const set = openidAfter(defaultOpenid, {
    idTokenAlgorithm: "ES256",
    postLogoutRedirectUris: [ADDRESS, ADDRESS],
  })
  assert.ok(set.ok)
  assert.deepEqual({ ...set.value }, { idTokenAlgorithm: "ES256", postLogoutRedirectUris: [ADDRESS] })
  assert.deepEqual(openidAfter(set.value, { idTokenAlgorithm: undefined }), set)
  assert.deepEqual(openidAfter(set.value, { postLogoutRedirectUris: [] }), {
    ok: true,
    value: { idTokenAlgorithm: "ES256", postLogoutRedirectUris: [] },
  })
})

test("OIDC-10: an address is https or loopback, in full, and there are not too many", () => {
  const isTaken = (uris: readonly string[]) => openidAfter(defaultOpenid, { postLogoutRedirectUris: uris }).ok
  for (const uri of [ADDRESS, "https://app.example", "http://localhost:3000/bye?a=b", "http://127.0.0.1/"])
    assert.equal(isTaken([uri]), true, uri)
  for (const uri of [
    "",
    "http://app.example/",
    "com.example.app:/bye",
    "javascript:alert(1)",
    "https://*.app.example/",
    "https://app.example/#a",
    "https://app.example/?state=1",
    "https://user@app.example/",
    "https://app.example/a b",
    "//app.example/",
  ])
    assert.equal(isTaken([uri]), false, uri)
  const many = (count: number) => Array.from({ length: count }, (_, at) => `${ADDRESS}/${at}`)
  assert.equal(isTaken(many(REDIRECT_URIS_AT_MOST)), true)
  assert.equal(isTaken(many(REDIRECT_URIS_AT_MOST + 1)), false)
})

test("OIDC-10: a record has what is not as by default, and is read again as it was", () => {
  assert.deepEqual(recordedOpenid(defaultOpenid), {})
  const set = { idTokenAlgorithm: "ES256", postLogoutRedirectUris: [ADDRESS] } as const
  assert.deepEqual(recordedOpenid(set), {
    id_token_signed_response_alg: "ES256",
    post_logout_redirect_uris: [ADDRESS],
  })
  assert.deepEqual(openidIn(recordedOpenid(set)), set)
})
