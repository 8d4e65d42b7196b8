/** Tests `scope` at a refresh, with the current token and with a retired token: AUTH-10. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { setAdministration } from "../../../src/accounts/accounts.ts"
import { updateApp } from "../../../src/apps/app.ts"
import { refresh, send } from "../../support/connect.ts"
import { assertRefused } from "../../support/answers.ts"
import { fixture } from "../../support/fixture.ts"
import { call, rotated } from "../../support/signed-in.ts"
import { credentialRow, eventKinds, stateOf } from "../../support/stored.ts"
import { OPERATOR } from "../../support/test-server.ts"

/**
 * A credential that reaches `account:read workers:read files:read files:write` refuses each of these with
 * `invalid_scope`.
 */
const refusedScopes: Record<string, string> = {
  malformed: "account:read  files:read",
  "not a scope at all": '"',
  unknown: "files:read nonsense",
  "outside reach": "apps:read",
  "an admin permission": "admin:accounts",
}

const { testServer, bob, app } = await fixture({
  rateLimit: "off",
  admins: ["root", "bob"],
  signedIn: ["bob"],
  apps: { app: {} },
})

/** Returns everything in a response that a client can read, without what differs in every response. */
async function wire(token: string, scope: string): Promise<unknown> {
  const answer = await refresh(testServer, app, token, { scope })
  const headers = [...answer.headers].filter(([name]) => !["date", "x-request-id"].includes(name))
  return { status: answer.status, body: JSON.stringify(answer.body), headers }
}

describe("AUTH-10: inside the sixty seconds scope is judged as for the token in force", () => {
  for (const [name, scope] of Object.entries(refusedScopes))
    test(`${name}: the same refusal to the byte, no pair, and nothing written`, async () => {
      const first = await bob.grant(app)
      const current = await wire(first.refresh_token, scope)
      assert.equal((current as { status: number }).status, 400)
      assert.match(JSON.stringify(current), /invalid_scope/)
      const second = await rotated(testServer, app, first)
      const row = await credentialRow(testServer, first.token_id)
      assert.deepEqual(await wire(first.refresh_token, scope), current)
      assert.deepEqual(await credentialRow(testServer, first.token_id), row)
      assert.equal((await rotated(testServer, app, first)).refresh_token, second.refresh_token)
    })

  test("a permission that the registration does not list any more", async () => {
    const own = await testServer.addApp()
    const first = await bob.grant(own)
    await rotated(testServer, own, first)
    await updateApp(testServer.latchkey, own.clientId, { removePermissions: ["files:write"] }, OPERATOR)
    const refused = await refresh(testServer, own, first.refresh_token, { scope: "files:write" })
    assertRefused(refused, 400, "invalid_scope")
  })

  test("a valid one gets the same pair, with the scope of the first answer", async () => {
    const first = await bob.grant(app)
    const second = await rotated(testServer, app, first, { scope: "files:read" })
    for (const scope of ["files:read", "account:read", "workers:read files:write", "openid"]) {
      const again = await rotated(testServer, app, first, { scope })
      assert.equal(again.refresh_token, second.refresh_token)
      assert.equal(again.access_token, second.access_token)
      assert.equal(again.scope, "workers:read files:read", scope)
    }
    assert.equal(
      (await call(testServer, "/api/credential", second.access_token)).body["reach"],
      "workers:read files:read",
    )
  })

  test("what the registration or the account lost since is not in the scope of the repeat", async () => {
    const own = await testServer.addApp({ permissions: ["account:read", "files:read", "admin:events"] })
    const first = await bob.grant(own, { scope: "account:read files:read admin:events" })
    const second = await rotated(testServer, own, first)
    assert.equal(second.scope, "account:read admin:events workers:read files:read")
    await updateApp(testServer.latchkey, own.clientId, { removePermissions: ["files:read"] }, OPERATOR)
    assert.equal((await rotated(testServer, own, first)).scope, "account:read admin:events")
    await setAdministration(testServer.latchkey, "bob", false, OPERATOR)
    for (const more of [{}, { scope: "account:read" }] as Record<string, string>[])
      assert.equal((await rotated(testServer, own, first, more)).scope, "account:read")
    const demoted = await refresh(testServer, own, first.refresh_token, { scope: "admin:events" })
    assertRefused(demoted, 400, "invalid_scope")
    await setAdministration(testServer.latchkey, "bob", true, OPERATOR)
    await updateApp(testServer.latchkey, own.clientId, { addPermissions: ["files:read"] }, OPERATOR)
    assert.equal(
      (await rotated(testServer, own, first)).scope,
      second.scope,
      "never wider than first answered",
    )
  })
})

describe("AUTH-10: other refresh tokens are judged before scope", () => {
  for (const [name, scope] of Object.entries(refusedScopes))
    test(`retired longer ago than the window, ${name}: the credential ends`, async () => {
      const first = await bob.grant(app)
      await rotated(testServer, app, first)
      testServer.clock.advance(61)
      assertRefused(await refresh(testServer, app, first.refresh_token, { scope }), 400, "invalid_grant")
      assert.equal(await stateOf(testServer, first.token_id), "revoked")
      assert.equal((await eventKinds(testServer)).at(-1), "refresh-token-reused")
    })

  for (const more of ["scope=%ff", "scope=%zz", "scope=a b", "scope=a&scope=b", "foo=1&foo=2"])
    test(`in a malformed request (${more}): invalid_request, and a reuse ends the credential`, async () => {
      const first = await bob.grant(app)
      const body = `grant_type=refresh_token&client_id=${app.clientId}&refresh_token=${first.refresh_token}&${more}`
      assertRefused(await send(testServer, "/oauth/token", body), 400, "invalid_request")
      await rotated(testServer, app, first)
      const inWindow = await send(testServer, "/oauth/token", body)
      assertRefused(inWindow, 400, "invalid_request")
      assert.equal(await stateOf(testServer, first.token_id), "active")
      testServer.clock.advance(61)
      assert.deepEqual((await send(testServer, "/oauth/token", body)).body, inWindow.body)
      assert.equal(await stateOf(testServer, first.token_id), "revoked")
    })

  test("of an older generation inside its sixty seconds, or never issued: invalid_grant, whatever scope says", async () => {
    const first = await bob.grant(app)
    const third = await rotated(testServer, app, await rotated(testServer, app, first))
    for (const scope of Object.values(refusedScopes)) {
      assertRefused(await refresh(testServer, app, first.refresh_token, { scope }), 400, "invalid_grant")
      assertRefused(await refresh(testServer, app, "lkr_none", { scope }), 400, "invalid_grant")
    }
    assert.equal(await stateOf(testServer, first.token_id), "active")
    await rotated(testServer, app, third)
  })

  test("of another app, or without authentication: scope is not looked at, nothing is revoked", async () => {
    const confidential = await testServer.addApp({ type: "confidential" })
    const first = await bob.grant(confidential)
    await rotated(testServer, confidential, first)
    testServer.clock.advance(61)
    const scope = '"'
    assertRefused(await refresh(testServer, app, first.refresh_token, { scope }), 400, "invalid_grant")
    const wrong = { ...confidential, secret: "lks_wrong" }
    assertRefused(await refresh(testServer, wrong, first.refresh_token, { scope }), 401, "invalid_client")
    assert.equal(await stateOf(testServer, first.token_id), "active")
  })
})
