import assert from "node:assert/strict"
import { test } from "node:test"
import { parseQuery } from "../../../src/kernel/form.ts"
import { requestPath } from "../../../src/oauth/authorize/request-path.rules.ts"
import { decideAuthorization } from "../../../src/oauth/authorize/authorization-request.rules.ts"
import { OPENID, openidCatalog } from "../../../src/model/permissions/openid-permissions.rules.ts"
import { CLIENT_ID, publicClient, sampleCatalog } from "../../support/core-sample.ts"

const required = {
  client_id: CLIENT_ID,
  response_type: "code",
  redirect_uri: "http://127.0.0.1:5000/callback",
  state: "opaque",
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  code_challenge_method: "S256",
}

function requestOf(query: string) {
  const catalog = openidCatalog(sampleCatalog) ?? assert.fail()
  const client = { ...publicClient, ceiling: [...publicClient.ceiling, OPENID] }
  const authorization = decideAuthorization(catalog, parseQuery(query), client)
  return authorization.outcome === "ask" ? authorization.request : assert.fail(authorization.outcome)
}

test("CONSENT-1 a request that begins again is the same request", () => {
  const resources = [
    ["resource", "https://api.example/"],
    ["resource", "https://mcp.example/a?b=c&d"],
  ]
  const requests: readonly (readonly string[][])[] = [
    [],
    [["scope", "files:read"]],
    [["scope", "openid"]],
    [
      ["scope", "openid"],
      ["nonce", "a&b"],
      ["prompt", "login consent"],
      ["max_age", "60"],
      ["login_hint", "é\u{1F511} <b>"],
      ["id_token_hint", "a.b.c"],
    ],
    [["state", "a&b=c +%20#é\u{1F511}"], ["installation_name", "Ada’s laptop & co"], ...resources],
  ]
  for (const more of requests) {
    const query = new URLSearchParams({ ...required })
    for (const [name = "", value = ""] of more)
      if (name === "resource") query.append(name, value)
      else query.set(name, value)
    const request = requestOf(query.toString())
    const [path, again = ""] = requestPath(request).split("?", 2)
    assert.equal(path, "/oauth/authorize")
    assert.deepEqual(requestOf(again), request)
  }
})

test("LANG-3 a request that begins again asks for the language that was found", () => {
  const request = { ...requestOf(new URLSearchParams(required).toString()), uiLocale: "pt-BR" }
  assert.match(requestPath(request), /&ui_locales=pt-BR$/)
})

test("CONSENT-1, AUTHZ-7 a request without a scope begins again without one, also after its ceiling was narrowed", () => {
  const [, again = ""] = requestPath(requestOf(new URLSearchParams(required).toString())).split("?", 2)
  const [remaining] = publicClient.ceiling
  assert.ok(remaining !== undefined && publicClient.ceiling.length > 1)
  const narrowed = { ...publicClient, ceiling: [remaining] }
  assert.equal(decideAuthorization(sampleCatalog, parseQuery(again), narrowed).outcome, "ask")
})
