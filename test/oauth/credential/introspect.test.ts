import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { setAccountEnabled } from "../../../src/accounts/accounts.ts"
import { setAppEnabled, updateApp } from "../../../src/apps/app.ts"
import { authorizePath, exchange, newVerifier, own, REDIRECT_URI, send } from "../../support/connect.ts"
import { assertRefused, assertUncached, returned } from "../../support/answers.ts"
import { fixture } from "../../support/fixture.ts"
import { issueCode } from "../../support/grant.ts"
import { SignedInAccount, introspected, rotated } from "../../support/signed-in.ts"
import { OPERATOR } from "../../support/test-server.ts"

const INTROSPECT = "/oauth/introspect"

const {
  testServer,
  userIds: { Bob: userId },
  app,
  server,
} = await fixture({
  accounts: ["Bob"],
  apps: { app: {}, server: { type: "confidential", resourceServer: true } },
})
let bob = new SignedInAccount(testServer, "bob")

async function assertInactive(token: string): Promise<void> {
  const answer = await introspected(testServer, server, token)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, { active: false })
}

test("INTRO-1: a live token is answered with its reach, account, app and expiry", async () => {
  const issuedAt = testServer.clock.now()
  const { access_token, token_id } = await bob.grant(app)
  testServer.clock.advance(100)
  const answer = await introspected(testServer, server, access_token)
  assert.equal(answer.status, 200)
  assertUncached(answer)
  assert.deepEqual(answer.body, {
    active: true,
    scope: "account:read workers:read files:read files:write",
    client_id: app.clientId,
    username: "Bob",
    account_type: "person",
    groups: [],
    token_type: "Bearer",
    exp: issuedAt + 3600,
    iat: issuedAt,
    sub: userId,
    iss: testServer.issuer,
    token_id,
  })
})

test("INTRO-1, AUTHZ-9: the resources of the authorization request are the audience", async () => {
  const { verifier, challenge } = newVerifier()
  const resources = ["https://mcp.example/a", "https://mcp.example/b"]
  const query = [...resources, resources[0] ?? ""]
    .map((one) => `&resource=${encodeURIComponent(one)}`)
    .join("")
  const browser = await bob.browser()
  const page = await browser.get(authorizePath(app, challenge) + query)
  const back = returned(await browser.submit(page, "/oauth/consent", { decision: "authorize" }), REDIRECT_URI)
  const answer = await exchange(testServer, app, back["code"] ?? "", verifier)
  const { body } = await introspected(testServer, server, String(answer.body["access_token"]))
  assert.deepEqual(body["aud"], resources)
  assert.equal(body["iat"], testServer.clock.now())
})

test("INTRO-1, PERM-5: the scope is the reach of this moment and of this very token", async () => {
  const other = await testServer.addApp()
  const first = await bob.grant(other)
  const narrow = await rotated(testServer, other, first, { scope: "account:read" })
  assert.equal((await introspected(testServer, server, narrow.access_token)).body["scope"], "account:read")
  await updateApp(testServer.latchkey, other.clientId, { removePermissions: ["files:write"] }, OPERATOR)
  assert.equal((await introspected(testServer, server, first.access_token)).body["scope"], "account:read")
  await updateApp(
    testServer.latchkey,
    other.clientId,
    { addPermissions: ["files:read"], removePermissions: ["account:read"] },
    OPERATOR,
  )
  assert.equal(
    (await introspected(testServer, server, first.access_token)).body["scope"],
    "workers:read files:read",
  )
  const none = await introspected(testServer, server, narrow.access_token)
  assert.deepEqual([none.body["active"], none.body["scope"]], [true, ""])
})

describe("INTRO-2: whatever is not a live access token is inactive, and nothing more is said", () => {
  const dead: Record<string, () => Promise<string> | string> = {
    garbage: () => "garbage",
    "a refresh token": async () => (await bob.grant(app)).refresh_token,
    "a code": async () => (await issueCode(await bob.browser(), app)).code,
    "a client secret": () => server.secret ?? "",
    "an altered token": async () => (await bob.grant(app)).access_token.slice(0, -1),
    "a revoked token": async () => {
      const { access_token } = await bob.grant(app)
      await send(testServer, "/oauth/revoke", { ...own(app), token: access_token })
      return access_token
    },
    "an expired token": async () => {
      const { access_token } = await bob.grant(app)
      testServer.clock.advance(3601)
      return access_token
    },
  }
  for (const [name, token] of Object.entries(dead)) test(name, async () => assertInactive(await token()))

  test("an expired token, also with the clock set back", async () => {
    const { access_token } = await bob.grant(app)
    testServer.clock.advance(3601)
    await assertInactive(access_token)
    testServer.clock.setWall(testServer.clock.now() - 3600)
    await assertInactive(access_token)
    testServer.clock.setWall(testServer.clock.now() + 3600)
  })

  test("a token of a disabled app, or of a disabled account, until they are enabled", async () => {
    const { access_token } = await bob.grant(app)
    await setAppEnabled(testServer.latchkey, app.clientId, false, OPERATOR)
    await assertInactive(access_token)
    await setAppEnabled(testServer.latchkey, app.clientId, true, OPERATOR)
    await testServer.addAccount("root", true)
    await setAccountEnabled(testServer.latchkey, "bob", false, OPERATOR)
    await assertInactive(access_token)
    await setAccountEnabled(testServer.latchkey, "bob", true, OPERATOR)
    assert.equal((await introspected(testServer, server, access_token)).body["active"], true)
    bob = new SignedInAccount(testServer, "bob")
  })
})

describe("INTRO-3: who may ask", () => {
  test("no app that is not marked as a resource server", async () => {
    const { access_token } = await bob.grant(app)
    const confidential = await testServer.addApp({ type: "confidential" })
    for (const who of [app, confidential])
      assertRefused(
        await send(testServer, INTROSPECT, { ...own(who), token: access_token }),
        403,
        "unauthorized_client",
      )
  })

  test("ERR-1, SVC-6: not without authentication", async () => {
    const { access_token: token } = await bob.grant(app)
    const { clientId: client_id } = server
    assertRefused(await send(testServer, INTROSPECT, { token }), 400, "invalid_request")
    assertRefused(await send(testServer, INTROSPECT, { client_id, token }), 401, "invalid_client")
    assertRefused(
      await send(testServer, INTROSPECT, { client_id, client_secret: "x", token }),
      401,
      "invalid_client",
    )
    assertRefused(
      await send(testServer, INTROSPECT, { client_id, client_secret: "x" }),
      401,
      "invalid_client",
    )
    const bearer = { authorization: `Bearer ${token}` }
    assertRefused(await send(testServer, INTROSPECT, { client_id, token }, bearer), 401, "invalid_client")
  })

  test("by Basic too; without a token it is a malformed request", async () => {
    const { access_token: token } = await bob.grant(app)
    const authorization = `Basic ${btoa(`${server.clientId}:${server.secret}`)}`
    const answer = await send(
      testServer,
      INTROSPECT,
      { token, token_type_hint: "refresh_token" },
      { authorization },
    )
    assert.equal(answer.body["active"], true)
    assertRefused(await send(testServer, INTROSPECT, {}, { authorization }), 400, "invalid_request")
    const get = await fetch(`${testServer.url}${INTROSPECT}?token=${token}`, { headers: { authorization } })
    assert.equal(get.status, 405)
  })
})
