import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { parseBaseUrl } from "../../../src/platform/config/base-url.ts"
import { assertUncached } from "../../support/answers.ts"
import { sendRaw } from "../../platform/http/raw.ts"
import { fixture } from "../../support/fixture.ts"

const SERVER = "/.well-known/oauth-authorization-server"
const RESOURCE = "/.well-known/oauth-protected-resource"

type Metadata = Record<string, unknown>

const PATH_ISSUER = "https://id.example/auth"

const baseUrl = parseBaseUrl(`${PATH_ISSUER}/`)
assert.ok(baseUrl.ok)
const { testServer } = await fixture()
/** This server is published under a path. The trailing slash of its URL must be removed. */
const { testServer: pathServer } = await fixture({ baseUrl: baseUrl.value })

async function metadata(url: string): Promise<Metadata> {
  const response = await fetch(url)
  assert.equal(response.status, 200, url)
  assertUncached(response)
  return (await response.json()) as Metadata
}

test("DISC-1, SVC-1: the authorization server's metadata names the endpoints and the grant types", async () => {
  const { scopes_supported: scopes, ...rest } = await metadata(testServer.url + SERVER)
  const { issuer } = testServer
  assert.deepEqual(rest, {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
    device_authorization_endpoint: `${issuer}/oauth/device-authorization`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    revocation_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
    introspection_endpoint: `${issuer}/oauth/introspect`,
    introspection_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    step_up_endpoint: `${issuer}/oauth/step-up`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: [
      "authorization_code",
      "refresh_token",
      "urn:ietf:params:oauth:grant-type:device_code",
    ],
    refresh_token_expiration_types_supported: ["authorization", "token_timeout"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  })
  assert.ok(Array.isArray(scopes))
})

test("DISC-1: every endpoint that is named answers", async () => {
  const named = await metadata(testServer.url + SERVER)
  const endpoints = Object.entries(named).filter(([name]) => name.endsWith("_endpoint"))
  assert.equal(endpoints.length, 6)
  for (const [name, address] of endpoints) {
    const response = await fetch(String(address))
    assert.ok([400, 405].includes(response.status), `${name}: ${response.status}`)
  }
})

test("DISC-2: the protected resource's metadata names this server and the one way to bring a token", async () => {
  const { scopes_supported: scopes, ...rest } = await metadata(testServer.url + RESOURCE)
  assert.deepEqual(rest, {
    resource: testServer.issuer,
    authorization_servers: [testServer.issuer],
    bearer_methods_supported: ["header"],
  })
  assert.deepEqual(scopes, (await metadata(testServer.url + SERVER))["scopes_supported"])
})

test("DISC-3: there is exactly one code challenge method", async () => {
  assert.deepEqual((await metadata(testServer.url + SERVER))["code_challenge_methods_supported"], ["S256"])
})

test("DISC-4, REG-1, SVC-9: registration is closed, and nothing speaks of it", async () => {
  assert.equal("registration_endpoint" in (await metadata(testServer.url + SERVER)), false)
  const response = await fetch(`${testServer.url}/oauth/register`, {
    method: "POST",
    body: '{"redirect_uris":["https://app.example/callback"]}',
    headers: { "content-type": "application/json" },
  })
  assert.equal(response.status, 404)
  assertUncached(response)
  assert.equal(((await response.json()) as Metadata)["error"], "not_found")
})

test("DISC-1, PERM-2: scopes_supported has every permission but the admin ones", async () => {
  const scopes = (await metadata(testServer.url + SERVER))["scopes_supported"]
  assert.deepEqual(scopes, [
    "account:read",
    "account:write",
    "credentials:read",
    "credentials:write",
    "apps:read",
    "apps:write",
    "workers:read",
    "files:read",
    "files:write",
  ])
})

describe("DISC-1, DISC-2: where the base address has a path", () => {
  const ways = {
    "inserted after the well-known part": (document: string) => `${document}/auth`,
    "behind a proxy that takes the path away": (document: string) => document,
    "behind a proxy that keeps the path": (document: string) => `/auth${document}`,
  }
  for (const [way, address] of Object.entries(ways)) {
    test(way, async () => {
      const server = await metadata(pathServer.url + address(SERVER))
      assert.equal(server["issuer"], PATH_ISSUER)
      assert.equal(server["token_endpoint"], `${PATH_ISSUER}/oauth/token`)
      const resource = await metadata(pathServer.url + address(RESOURCE))
      assert.equal(resource["resource"], PATH_ISSUER)
      assert.deepEqual(resource["authorization_servers"], [PATH_ISSUER])
    })
  }

  test("the other addresses answer with the path and without it", async () => {
    for (const path of ["/auth", ""]) {
      const token = await fetch(`${pathServer.url}${path}/oauth/token`, { method: "POST" })
      assert.equal(token.status, 400, path)
      const page = await fetch(`${pathServer.url}${path}/sign-in`)
      assert.equal(page.status, 200, path)
      assert.match(await page.text(), /action="\/auth\/sign-in"/)
    }
    const beside = await fetch(`${pathServer.url}/authority/oauth/token`, { method: "POST" })
    assert.equal(beside.status, 404)
  })
})

describe("DISC-1: an unknown well-known address is a 404 in JSON", () => {
  for (const path of [
    "/.well-known/openid-configuration",
    "/.well-known/oauth-authorization-server/elsewhere",
    "/.well-known/oauth-authorization-server/",
    "/.well-known/oauth-protected-resource/api",
    "/.well-known/",
  ]) {
    test(path, async () => {
      const response = await fetch(testServer.url + path)
      assert.equal(response.status, 404)
      assertUncached(response)
      assert.equal(((await response.json()) as Metadata)["error"], "not_found")
    })
  }
})

test("DISC-6: the address of OpenID metadata is a 404 that says where the OAuth metadata are", async () => {
  for (const [{ url, issuer }, paths] of [
    [testServer, ["/.well-known/openid-configuration"]],
    [pathServer, ["/auth/.well-known/openid-configuration", "/.well-known/openid-configuration/auth"]],
  ] as const)
    for (const path of paths) {
      const response = await fetch(url + path)
      assert.equal(response.status, 404)
      const { error, error_description: description } = (await response.json()) as Metadata
      assert.equal(error, "not_found")
      const { origin, pathname } = new URL(issuer)
      const base = pathname === "/" ? "" : pathname
      const address = `${origin}/.well-known/oauth-authorization-server${base}`
      assert.equal(description, `There is nothing at this address. The OAuth metadata is at ${address}.`)
    }
})

test("DISC-1: the issuer is the same bytes everywhere, whatever host a request names", async () => {
  for (const { url, issuer } of [testServer, pathServer]) {
    for (const document of [SERVER, RESOURCE]) {
      const answer = await sendRaw(url, [
        `GET ${document} HTTP/1.1`,
        "Host: evil.example",
        "X-Forwarded-Host: evil.example",
        "X-Forwarded-Proto: https",
        "Forwarded: host=evil.example;proto=https",
        "Connection: close",
      ])
      assert.equal(answer.status, 200)
      assert.equal(answer.body.includes("evil.example"), false)
      assert.ok(answer.body.includes(`"${issuer}"`))
      assert.equal(answer.body.includes(`"${issuer}/"`), false)
    }
  }
})

test("DISC-1, DISC-2: any origin may read both documents, without cookies", async () => {
  for (const document of [SERVER, RESOURCE]) {
    const { headers } = await fetch(testServer.url + document, { headers: { origin: "https://spa.example" } })
    assert.equal(headers.get("access-control-allow-origin"), "*")
    assert.equal(headers.get("access-control-allow-credentials"), null)
    assert.equal(headers.get("set-cookie"), null)
    const preflight = await fetch(testServer.url + document, {
      method: "OPTIONS",
      headers: { origin: "https://spa.example", "access-control-request-method": "GET" },
    })
    assert.equal(preflight.status, 204)
    assert.equal(preflight.headers.get("access-control-allow-origin"), "*")
    assert.equal(preflight.headers.get("access-control-allow-methods"), "GET, HEAD, OPTIONS")
    assert.equal(
      preflight.headers.get("access-control-allow-headers"),
      "authorization, content-type, mcp-protocol-version, traceparent, tracestate",
    )
  }
})

test("DISC-1: HEAD has the same head and no body; other methods are refused with those that work", async () => {
  const head = await fetch(testServer.url + SERVER, { method: "HEAD" })
  assert.equal(head.status, 200)
  assertUncached(head)
  assert.equal(await head.text(), "")
  for (const method of ["POST", "PUT", "DELETE"]) {
    const response = await fetch(testServer.url + SERVER, { method })
    assert.equal(response.status, 405)
    assert.equal(response.headers.get("allow"), "GET, HEAD, OPTIONS")
  }
})
