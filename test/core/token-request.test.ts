import { test } from "node:test"
import assert from "node:assert/strict"
import { GRANT_TYPES, parseTokenRequest } from "../../src/core/token-request.ts"
import { wireError } from "../../src/core/errors.ts"
import { form } from "./sample.ts"

const parse = (text: string) => {
  const parsed = parseTokenRequest(form(text))
  return parsed.ok ? parsed.value : parsed.refusal
}
const CODE = "grant_type=authorization_code&code=c&code_verifier=v&redirect_uri=http%3A%2F%2Flocalhost%2F"
const REFRESH = "grant_type=refresh_token&refresh_token=r"

test("TOKEN-1 an exchange brings code, verifier and redirect address", () => {
  assert.deepEqual(parse(CODE), {
    grant: "authorization_code",
    code: "c",
    codeVerifier: "v",
    redirectUri: "http://localhost/",
  })
})

test("TOKEN-1, ERR-4 each of them is required, and not empty", () => {
  for (const parameter of ["code", "code_verifier", "redirect_uri"]) {
    for (const text of [
      CODE.replace(`${parameter}=`, "x_x="),
      CODE.replace(new RegExp(`${parameter}=[^&]+`), `${parameter}=`),
    ]) {
      assert.deepEqual(parse(text), { reason: "parameterMissing", parameter }, text)
    }
  }
  assert.equal(wireError("parameterMissing").error, "invalid_request")
})

test("TOKEN-1 a verifier of the wrong shape is kept: it is wrong, not missing", () => {
  const parsed = parse(CODE.replace("code_verifier=v", `code_verifier=${"%0a".repeat(500)}`))
  assert.equal("codeVerifier" in parsed && parsed.codeVerifier, "\n".repeat(500))
})

test("TOKEN-3 a refresh brings its token and, if it narrows, a scope", () => {
  assert.deepEqual(parse(REFRESH), { grant: "refresh_token", refreshToken: "r", asked: null })
  assert.deepEqual(parse(`${REFRESH}&scope=`), { grant: "refresh_token", refreshToken: "r", asked: null })
  assert.deepEqual(parse(`${REFRESH}&scope=b+a+b`), {
    grant: "refresh_token",
    refreshToken: "r",
    asked: ["b", "a"],
  })
  assert.deepEqual(parse(`${REFRESH}&scope=+a`), { reason: "scopeMalformed" })
  assert.deepEqual(parse("grant_type=refresh_token"), {
    reason: "parameterMissing",
    parameter: "refresh_token",
  })
})

test("ERR-4 a grant type that is not served is unsupported, whatever its name", () => {
  assert.deepEqual(parse("code=c"), { reason: "parameterMissing", parameter: "grant_type" })
  for (const grantType of [
    "password",
    "client_credentials",
    "__proto__",
    "constructor",
    "toString",
    "Refresh_token",
  ]) {
    assert.deepEqual(parse(`grant_type=${grantType}`), { reason: "grantTypeUnsupported" }, grantType)
  }
  assert.equal(wireError("grantTypeUnsupported").error, "unsupported_grant_type")
})

test("ERR-4 nothing may be given twice, known or not; resource may", () => {
  for (const name of ["code", "grant_type", "scope", "nonce"]) {
    assert.deepEqual(parse(`${CODE}&${name}=1&${name}=2`), { reason: "parameterRepeated", parameter: name })
  }
  assert.deepEqual(parse(`${CODE}&resource=urn:a&resource=urn:b&unknown=1`), parse(CODE))
})

test("DISC-1 every served grant type has a parser, and only those", () => {
  assert.deepEqual(GRANT_TYPES, [
    "authorization_code",
    "refresh_token",
    "urn:ietf:params:oauth:grant-type:device_code",
  ])
  for (const grantType of GRANT_TYPES) {
    assert.notDeepEqual(parse(`grant_type=${grantType}`), { reason: "grantTypeUnsupported" })
  }
})

test("TOKEN-2 a poll has a device code, and needs it", () => {
  const grant = "urn:ietf:params:oauth:grant-type:device_code"
  assert.deepEqual(parse(`grant_type=${encodeURIComponent(grant)}&device_code=abc`), {
    grant,
    deviceCode: "abc",
  })
  for (const text of [`grant_type=${grant}`, `grant_type=${grant}&device_code=`])
    assert.deepEqual(parse(text), { reason: "parameterMissing", parameter: "device_code" })
})
