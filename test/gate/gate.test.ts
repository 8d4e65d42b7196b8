/** The gate with a real service: who may ask, what is answered, and how soon a revocation is felt. */
import { after, before, describe, test } from "node:test"
import assert from "node:assert/strict"
import { IDENTITY_HEADERS } from "../../src/gate/identity.rules.ts"
import { withdrawKey } from "../oauth/jwt/jwt-service.ts"
import { RESOURCE } from "../kit/api-server.ts"
import { untilInEffect } from "../kit/in-effect.ts"
import { GateUnderTest, GATE_SECRET, HOST, trusted } from "./gate-under-test.ts"

describe("a gate before a real service", () => {
  let gate: GateUnderTest
  before(async () => (gate = await GateUnderTest.open()))
  after(() => gate.close())

  const newToken = async () => (await gate.api.grant()).access_token

  test("GATE-9, GROUP-9 a token with the permission passes, and every identity header is set", async () => {
    const { status, headers, body } = await gate.ask({}, await newToken())
    assert.deepEqual([status, body], [200, ""])
    assert.equal(headers["latchkey-username"], "bob")
    assert.equal(headers["latchkey-client"], gate.api.app.clientId)
    assert.match(String(headers["latchkey-permissions"]), /files:read/)
    assert.equal(headers["latchkey-groups"], "on-call staff")
    assert.equal(headers["latchkey-assertion"], "")
  })

  test("GATE-9 a public route passes with empty headers, and a token there is not looked at", async () => {
    for (const token of [undefined, "nonsense", await newToken()]) {
      const { status, headers } = await gate.ask({ path: "/status?x=1" }, token)
      assert.equal(status, 200)
      for (const name of IDENTITY_HEADERS) assert.equal(headers[name.toLowerCase()], "", name)
    }
  })

  test("GATE-2 every family asks with its own headers", async () => {
    const token = await newToken()
    const forwarded = {
      "x-forwarded-method": "GET",
      "x-forwarded-uri": "/notes/1?q=2",
      "x-forwarded-host": "API.example:8443",
    }
    const original = { "x-original-method": "GET", "x-original-uri": "/notes/1", "x-original-host": HOST }
    const own = {
      "/auth/nginx": original,
      "/auth/haproxy": original,
      "/auth/caddy": forwarded,
      "/auth/traefik": forwarded,
    }
    for (const [path, headers] of Object.entries(own)) {
      assert.equal((await gate.send(path, { ...trusted(token), ...headers })).status, 200, path)
      assert.equal((await gate.send(`${path}?q=2`, { ...trusted(token), ...headers }, "HEAD")).status, 200)
      const other = headers === original ? forwarded : original
      const refused = await gate.send(path, { ...trusted(token), ...other })
      assert.equal(refused.status, 403, path)
      assert.match(refused.body, /is missing, empty or repeated/)
      for (const [name, value] of Object.entries(headers)) {
        const twice = { ...trusted(token), ...headers, [name]: [value, value] }
        assert.equal((await gate.send(path, twice)).status, 403, `${path} ${name}`)
      }
    }
    const envoy = { ...trusted(token), host: HOST }
    assert.equal((await gate.send("/auth/envoy/notes/1?x", envoy)).status, 200)
    assert.equal((await gate.send("/auth/envoy/notes/1", envoy, "POST")).status, 200)
    assert.equal((await gate.send("/auth/envoy/notes/1", envoy, "PUT")).status, 403)
    assert.equal(
      (await gate.send("/auth/envoy/notes/1", { ...trusted(token), host: "x.example" })).status,
      403,
    )
  })

  test("GATE-1 a caller without the secret is refused, whatever else it sends", async () => {
    const token = await newToken()
    for (const secret of ["", "wrong", `${GATE_SECRET}x`, [GATE_SECRET, GATE_SECRET]])
      assert.equal((await gate.ask({}, token, { "latchkey-gate-secret": secret })).status, 403)
  })

  test("GATE-5 what is not declared is 403, whatever token is sent", async () => {
    const token = await newToken()
    const asked = [
      { path: "/nothing" },
      { method: "PUT" },
      { host: "other.example" },
      { path: "/notes/%2e%2e/admin" },
      { path: "/notes//1" },
    ]
    for (const one of asked)
      for (const sent of [undefined, "nonsense", token]) {
        const { status, headers } = await gate.ask(one, sent)
        assert.deepEqual([status, headers["www-authenticate"]], [403, undefined], JSON.stringify(one))
      }
  })

  test("GATE-6 without a token, with a wrong one, and without the permission", async () => {
    const metadata = "https://api.example/.well-known/oauth-protected-resource/notes"
    const missing = await gate.ask({})
    assert.equal(missing.status, 401)
    assert.equal(
      missing.headers["www-authenticate"],
      `Bearer scope="files:read", resource_metadata="${metadata}"`,
    )
    assert.equal((await gate.ask({}, "nonsense")).status, 401)
    const lacking = await gate.ask({ path: "/admin" }, await newToken())
    assert.equal(lacking.status, 403)
    assert.match(String(lacking.headers["www-authenticate"]), /error="insufficient_scope".*admin:accounts/)
  })

  test("GATE-8 a revocation is in effect within a second", async () => {
    const held = await gate.api.grant()
    assert.equal((await gate.ask({}, held.access_token)).status, 200)
    await gate.api.revoke(held)
    await untilInEffect(async () => (await gate.ask({}, held.access_token)).status === 401, "refused")
  })

  test("GATE-10 the metadata is at the path of its host", async () => {
    const path = "/.well-known/oauth-protected-resource/notes"
    const { status, body } = await gate.send(path, { host: HOST })
    assert.equal(status, 200)
    assert.equal((JSON.parse(body) as { resource: string }).resource, RESOURCE)
    assert.equal((await gate.send(path, { host: "other.example" })).status, 404)
  })
})

test("GATE-8, SIGN-4 a JWT passes until its key is withdrawn, and is refused within a second then", async (t) => {
  const notes = { name: "Notes", jwt: { algorithm: "ES256", seconds: 60 } } as const
  const gate = await GateUnderTest.open({ resourceServers: new Map([[RESOURCE, notes]]) })
  t.after(() => gate.close())
  const held = (await gate.api.grant(gate.api.app, { resource: RESOURCE })).access_token
  assert.match(held, /^eyJ/)
  assert.equal((await gate.ask({}, held)).status, 200)
  // The clock stands still, so the process has not read its keys again when the gate asks.
  await withdrawKey(gate.api.testServer, "ES256", 0)
  await untilInEffect(async () => (await gate.ask({}, held)).status === 401, "refused")
  gate.api.testServer.clock.advance(1)
  const next = (await gate.api.grant(gate.api.app, { resource: RESOURCE })).access_token
  assert.equal((await gate.ask({}, next)).status, 200)
})
