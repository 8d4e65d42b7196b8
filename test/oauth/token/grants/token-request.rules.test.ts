import { test } from "node:test"
import assert from "node:assert/strict"
import { grantTypeNames, grantTypes } from "../../../../src/oauth/token/grant-types.ts"
import {
  type CodeRequest,
  flawedGrantTypeOf,
  grantTypeOf,
} from "../../../../src/oauth/token/grants/token-request.rules.ts"
import { wireError } from "../../../../src/model/refusals/reasons.rules.ts"
import type { Refusal } from "../../../../src/model/refusals/refusal.rules.ts"
import { err, ok } from "../../../../src/kernel/result.ts"
import { parseQuery } from "../../../../src/kernel/form.ts"
import { form } from "../../../support/core-sample.ts"

const parse = (text: string) => {
  const grantType = grantTypeOf(grantTypes, form(text))
  const parsed = grantType.ok ? grantType.value.parse(form(text)) : grantType
  return (parsed.ok ? parsed.value : parsed.error) as Refusal | CodeRequest
}
const CODE = "grant_type=authorization_code&code=c&code_verifier=v&redirect_uri=http%3A%2F%2Flocalhost%2F"
const REFRESH = "grant_type=refresh_token&refresh_token=r"

test("TOKEN-1 an exchange brings code, verifier and redirect URI", () => {
  assert.deepEqual(parse(CODE), {
    code: "c",
    proof: { ok: true, value: { codeVerifier: "v", redirectUri: "http://localhost/" } },
  })
})

test("TOKEN-1, ERR-4 each of them is required, and not empty", () => {
  for (const parameter of ["code", "code_verifier", "redirect_uri"]) {
    for (const text of [
      CODE.replace(`${parameter}=`, "x_x="),
      CODE.replace(new RegExp(`${parameter}=[^&]+`), `${parameter}=`),
    ]) {
      const refusal = { reason: "parameterMissing", parameter }
      const parsed = parse(text)
      assert.deepEqual("proof" in parsed && !parsed.proof.ok ? parsed.proof.error : parsed, refusal, text)
    }
  }
  assert.equal(wireError("parameterMissing").error, "invalid_request")
})

test("TOKEN-1 a verifier of the wrong shape is kept: it is wrong, not missing", () => {
  const parsed = parse(CODE.replace("code_verifier=v", `code_verifier=${"%0a".repeat(500)}`))
  assert.ok("proof" in parsed && parsed.proof.ok)
  assert.equal(parsed.proof.value.codeVerifier, "\n".repeat(500))
})

test("CODE-4 an exchange that is malformed keeps its code where that is given once", () => {
  const kept: Record<string, Refusal> = {
    "grant_type=authorization_code&code=c": { reason: "parameterMissing", parameter: "redirect_uri" },
  }
  for (const [text, refusal] of Object.entries(kept)) {
    const proof = { ok: false, error: refusal }
    assert.deepEqual(parse(text), { code: "c", proof }, text)
  }
})

test("CODE-4, AUTH-10 of a flawed request the code or the refresh token is read, where there is only one", () => {
  const flaw = err({ reason: "bodyNotForm" })
  const flawed = (text: string) => {
    const read = parseQuery(text).form
    return flawedGrantTypeOf(grantTypes, read)?.parseFlawed?.(read, flaw) ?? null
  }
  const code = { code: "c", proof: flaw }
  for (const more of [
    "&code_verifier=%ff",
    "&a=%zz",
    "&%ff=a",
    "&redirect_uri=a b",
    "&scope=1&scope=2",
    "&code=c",
  ])
    assert.deepEqual(flawed(CODE + more), code, more)
  assert.deepEqual(flawed(CODE + "&a=1".repeat(200)), code)
  const refresh = { refreshToken: "r", scope: flaw }
  for (const more of ["&scope=%ff", "&scope=a&scope=b", "&foo=1&foo=2"])
    assert.deepEqual(flawed(REFRESH + more), refresh, more)
  for (const text of [`${CODE}&code=d`, `${CODE}&grant_type=refresh_token`, `${REFRESH}&refresh_token=s`])
    assert.equal(flawed(text), null, text)
  assert.equal(flawed("code=c&a=%ff"), null)
  assert.equal(flawed("grant_type=urn:ietf:params:oauth:grant-type:device_code&device_code=d&a=%ff"), null)
})

test("TOKEN-3 a refresh brings its token and, if it narrows, a scope", () => {
  const refresh = { refreshToken: "r" }
  assert.deepEqual(parse(REFRESH), { ...refresh, scope: ok(null) })
  assert.deepEqual(parse(`${REFRESH}&scope=`), { ...refresh, scope: ok(null) })
  assert.deepEqual(parse(`${REFRESH}&scope=b+a+b`), { ...refresh, scope: ok(["b", "a"]) })
  assert.deepEqual(parse("grant_type=refresh_token"), {
    reason: "parameterMissing",
    parameter: "refresh_token",
  })
})

test("RES-2 a resource without a value is omitted, also if it is repeated", () => {
  for (const empty of ["resource=", "resource=&resource=", "resource&resource=&resource"])
    assert.deepEqual(parse(`${REFRESH}&${empty}`), { refreshToken: "r", scope: ok(null) })
  assert.deepEqual(parse(`${REFRESH}&resource=&resource=https://files.example/`), {
    refreshToken: "r",
    scope: ok(null),
    audience: ok(["https://files.example/"]),
  })
})

test("AUTH-10 a malformed scope is left to be refused once the token is known", () => {
  const scope = err({ reason: "scopeMalformed" })
  assert.deepEqual(parse(`${REFRESH}&scope=+a`), { refreshToken: "r", scope })
})

test("ERR-4 a grant type that is not served is unsupported, whatever its name", () => {
  assert.deepEqual(parse("code=c"), { reason: "parameterMissing", parameter: "grant_type" })
  for (const grantType of [
    "password",
    "Client_Credentials",
    "__proto__",
    "constructor",
    "toString",
    "Refresh_token",
  ]) {
    assert.deepEqual(parse(`grant_type=${grantType}`), { reason: "grantTypeUnsupported" }, grantType)
  }
  assert.equal(wireError("grantTypeUnsupported").error, "unsupported_grant_type")
})

test("DISC-1 every served grant type has a parser, and only those", () => {
  assert.deepEqual(grantTypeNames, [
    "authorization_code",
    "refresh_token",
    "urn:ietf:params:oauth:grant-type:device_code",
  ])
  for (const grantType of grantTypeNames) {
    assert.notDeepEqual(parse(`grant_type=${grantType}`), { reason: "grantTypeUnsupported" })
  }
})

test("TOKEN-2 a poll has a device code, and needs it", () => {
  const grant = "urn:ietf:params:oauth:grant-type:device_code"
  assert.deepEqual(parse(`grant_type=${encodeURIComponent(grant)}&device_code=abc`), {
    deviceCode: "abc",
  })
  for (const text of [`grant_type=${grant}`, `grant_type=${grant}&device_code=`])
    assert.deepEqual(parse(text), { reason: "parameterMissing", parameter: "device_code" })
})
