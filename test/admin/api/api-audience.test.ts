import { describe, test } from "node:test"
import assert from "node:assert/strict"
import type { TokenResponse } from "../../../src/oauth/credential/token-response.rules.ts"
import { authorizePath, exchange, newVerifier, send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { call, introspected, rotated } from "../../support/signed-in.ts"

const MCP = "https://mcp.example/tools"

const { testServer, bob, app } = await fixture({
  accounts: ["bob"],
  browsers: ["bob"],
  apps: {
    app: {
      permissions: ["account:read", "account:write", "credentials:read"],
      stepUp: true,
    },
  },
})

async function tokensFor(...resources: readonly string[]): Promise<TokenResponse> {
  const { verifier, challenge } = newVerifier()
  const query = resources.map((resource) => `&resource=${encodeURIComponent(resource)}`).join("")
  const page = await bob.get(authorizePath(app, challenge) + query)
  const answer = await bob.submit(page, "/oauth/consent", { decision: "authorize" })
  const code = new URL(answer.location ?? "").searchParams.get("code") ?? ""
  const tokens = await exchange(testServer, app, code, verifier)
  assert.equal(tokens.status, 200)
  return tokens.body as unknown as TokenResponse
}

async function assertRefusedAtApi({ access_token }: TokenResponse): Promise<void> {
  for (const path of ["/api/account", "/api/credential", "/api/credentials"]) {
    const { status, headers, body } = await call(testServer, path, access_token)
    assert.deepEqual([status, (body["error"] as { status: string }).status], [401, "UNAUTHENTICATED"], path)
    const challenge = headers.get("www-authenticate") ?? ""
    assert.match(challenge, /^Bearer .*error="invalid_token"/)
    assert.match(challenge, /resource_metadata="http/)
  }
  const changed = await fetch(`${testServer.url}/api/account`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
    body: JSON.stringify({ username: "eve" }),
  })
  assert.equal(changed.status, 401)
}

describe("API-16: the API accepts only access tokens that are meant for it", () => {
  test("a token for other resources is refused, refreshed too", async () => {
    const held = await tokensFor(MCP, "https://other.example/")
    await assertRefusedAtApi(held)
    await assertRefusedAtApi(await rotated(testServer, app, held))
  })

  const accepted: Record<string, () => readonly string[]> = {
    "no resource": () => [],
    "the base URL": () => [testServer.issuer],
    "the base URL with a slash": () => [`${testServer.issuer}/`],
    "the base URL among others": () => [MCP, testServer.issuer],
  }
  for (const [name, resources] of Object.entries(accepted)) {
    test(`a token for ${name} works`, async () => {
      const { access_token } = await tokensFor(...resources())
      for (const path of ["/api/account", "/api/credential"])
        assert.equal((await call(testServer, path, access_token)).status, 200, path)
    })
  }

  test("what the protected-resource metadata calls the resource is accepted", async () => {
    const metadata = await fetch(`${testServer.url}/.well-known/oauth-protected-resource`)
    const { resource } = (await metadata.json()) as { resource: string }
    const { access_token } = await tokensFor(resource)
    assert.equal((await call(testServer, "/api/account", access_token)).status, 200)
  })

  test("step-up takes a token of any audience", async () => {
    for (const resources of [[], [MCP], [testServer.issuer]]) {
      const { access_token } = await tokensFor(...resources)
      const answer = await send(testServer, "/oauth/step-up", {}, { authorization: `Bearer ${access_token}` })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
    }
  })

  test("introspection tells about a token of any audience", async () => {
    const server = await testServer.addApp({ type: "confidential", resourceServer: true })
    const { access_token } = await tokensFor(MCP)
    const { body } = await introspected(testServer, server, access_token)
    assert.deepEqual([body["active"], body["aud"]], [true, [MCP]])
  })
})
