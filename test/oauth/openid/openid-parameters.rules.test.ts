import { test } from "node:test"
import assert from "node:assert/strict"
import { parseQuery } from "../../../src/kernel/form.ts"
import { OPENID, openidCatalog } from "../../../src/model/permissions/openid-permissions.rules.ts"
import { decideAuthorization } from "../../../src/oauth/authorize/authorization-request.rules.ts"
import {
  openidPairs,
  parseOpenidParameters,
  refuseRequestObject,
} from "../../../src/oauth/openid/openid-parameters.rules.ts"
import { CLIENT_ID, publicClient, sampleCatalog } from "../../support/core-sample.ts"

const parse = (parameters: Record<string, string>) =>
  parseOpenidParameters(parseQuery(new URLSearchParams(parameters).toString()).form)

test("OIDC-5 the parameters of a request, and what is ignored of them", () => {
  const cases: readonly [Record<string, string>, object][] = [
    [{}, {}],
    [
      { nonce: "n", prompt: "none" },
      { nonce: "n", prompt: ["none"] },
    ],
    [{ prompt: "consent login" }, { prompt: ["login", "consent"] }],
    [{ prompt: "create" }, {}],
    [{ prompt: "Login select_account" }, { prompt: ["select_account"] }],
    [{ max_age: "0" }, { maxAge: 0 }],
    [{ login_hint: "a".repeat(254) }, { loginHint: "a".repeat(254) }],
    [{ login_hint: "a".repeat(255) }, {}],
    [{ id_token_hint: "x" }, { idTokenHint: "x" }],
  ]
  for (const [parameters, value] of cases) {
    assert.deepEqual(parse(parameters), { ok: true, value })
    assert.deepEqual(parse(Object.fromEntries(openidPairs(value))), { ok: true, value })
  }
})

test("OIDC-5 a request object is refused, by value and by reference", () => {
  const refuse = (parameters: Record<string, string>) =>
    refuseRequestObject(parseQuery(new URLSearchParams(parameters).toString()).form)
  const refused = (reason: string) => ({ ok: false, error: { reason } })
  assert.deepEqual(refuse({ request: "x", request_uri: "y" }), refused("requestObjectUnsupported"))
  assert.deepEqual(refuse({ request_uri: "y" }), refused("requestUriUnsupported"))
  assert.deepEqual(refuse({ request: "", nonce: "n" }), { ok: true, value: null })
})

test("OIDC-5 what is refused of them", () => {
  const malformed = (parameter: string) => ({ reason: "parameterMalformed", parameter })
  const cases: readonly [Record<string, string>, object][] = [
    [{ prompt: "none login" }, malformed("prompt")],
    [{ prompt: "create none" }, malformed("prompt")],
    [{ nonce: "n".repeat(513) }, malformed("nonce")],
    ...["-1", "1.5", "x", "1e3", "12345678901"].map(
      (max_age) => [{ max_age }, malformed("max_age")] as [Record<string, string>, object],
    ),
  ]
  for (const [parameters, error] of cases) assert.deepEqual(parse(parameters), { ok: false, error })
})

test("OIDC-5 they act only in a request that names openid within the ceiling", () => {
  const withOpenid = openidCatalog(sampleCatalog) ?? assert.fail()
  const [files] = publicClient.ceiling
  const wide = { ...publicClient, ceiling: [...publicClient.ceiling, OPENID] }
  const of = (catalog: typeof sampleCatalog, client: typeof publicClient, scope: string | null) => {
    const query = new URLSearchParams({
      client_id: CLIENT_ID,
      response_type: "code",
      redirect_uri: "http://127.0.0.1:5000/callback",
      state: "s",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
      ...(scope !== null && { scope }),
      request: "x",
    })
    const { outcome } = decideAuthorization(catalog, parseQuery(query.toString()), client)
    return outcome
  }
  assert.equal(of(withOpenid, wide, `openid ${files}`), "back-to-app")
  assert.equal(of(withOpenid, wide, `${files}`), "ask")
  assert.equal(of(withOpenid, wide, null), "ask")
  assert.equal(of(withOpenid, publicClient, `openid ${files}`), "ask")
  assert.equal(of(sampleCatalog, publicClient, `openid ${files}`), "ask")
})
