import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { setAdministration } from "../../../src/accounts/accounts.ts"
import { updateApp } from "../../../src/apps/app.ts"
import { refresh } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import type { TestApp } from "../../support/test-server.ts"
import { assertRefused } from "../../support/answers.ts"
import { call, rotated } from "../../support/signed-in.ts"
import { credentialRow } from "../../support/stored.ts"
import { OPERATOR } from "../../support/test-server.ts"

const ALL = "account:read workers:read files:read files:write"

const { testServer, bob } = await fixture({ admins: ["root", "bob"], signedIn: ["bob"] })

function take(app: TestApp, ...removePermissions: string[]) {
  return updateApp(testServer.latchkey, app.clientId, { removePermissions }, OPERATOR)
}

function give(app: TestApp, ...addPermissions: string[]) {
  return updateApp(testServer.latchkey, app.clientId, { addPermissions }, OPERATOR)
}

/** Returns what an access token reaches, according to the service. */
async function reachOf(token: string): Promise<unknown> {
  return (await call(testServer, "/api/credential", token)).body["reach"]
}

describe("AUTH-8, TOKEN-3, PERM-3: scope at a refresh narrows that access token", () => {
  const narrowings: Record<string, string> = {
    "account:read": "account:read",
    "files:read": "workers:read files:read",
    "files:read account:read files:read": "account:read workers:read files:read",
    "openid account:read": "account:read",
    "openid offline_access": ALL,
    [ALL]: ALL,
  }
  for (const [scope, answered] of Object.entries(narrowings)) {
    test(scope, async () => {
      const app = await testServer.addApp()
      const first = await bob.grant(app)
      const second = await rotated(testServer, app, first, { scope })
      assert.equal(second.scope, answered)
      assert.equal(await reachOf(second.access_token), answered)
      assert.equal(await reachOf(first.access_token), ALL)
      const third = await rotated(testServer, app, second)
      assert.equal(third.scope, ALL)
      assert.equal(await reachOf(third.access_token), ALL)
      assert.equal(await reachOf(second.access_token), answered)
    })
  }

  test("empty is left out", async () => {
    const app = await testServer.addApp()
    assert.equal((await rotated(testServer, app, await bob.grant(app), { scope: "" })).scope, ALL)
  })
})

describe("ERR-3, AUTH-8: asking for more is invalid_scope, and never rotates", () => {
  const cases: Record<string, string> = {
    "an unknown permission": "files:read nonsense",
    "one outside the ceiling": "apps:read",
    "one inside the ceiling that was not consented to": "files:write",
    "an admin permission": "admin:accounts",
    "a malformed scope": "files:read  account:read",
    "a quotation mark": '"',
    "a prototype's name": "__proto__",
  }
  for (const [name, scope] of Object.entries(cases)) {
    test(name, async () => {
      const app = await testServer.addApp()
      const first = await bob.grant(app, { scope: "files:read" })
      const row = await credentialRow(testServer, first.token_id)
      assertRefused(await refresh(testServer, app, first.refresh_token, { scope }), 400, "invalid_scope")
      assert.deepEqual(await credentialRow(testServer, first.token_id), row)
      assert.equal((await rotated(testServer, app, first)).scope, "workers:read files:read")
    })
  }
})

describe("PERM-5, PERM-6, PERM-7: the registration decides at every request", () => {
  test("a permission taken off is gone from held tokens, from the next scope, and refused by name", async () => {
    const app = await testServer.addApp()
    const first = await bob.grant(app)
    await take(app, "files:write")
    assert.equal(await reachOf(first.access_token), "account:read")
    assertRefused(
      await refresh(testServer, app, first.refresh_token, { scope: "files:write" }),
      400,
      "invalid_scope",
    )
    const second = await rotated(testServer, app, first)
    assert.equal(second.scope, "account:read")
    assert.equal(
      (await credentialRow(testServer, first.token_id))["scope"],
      ALL,
      "the consent is not rewritten",
    )
    await give(app, "files:write")
    assert.equal(await reachOf(second.access_token), ALL)
    assert.equal((await rotated(testServer, app, second)).scope, ALL)
  })

  test("what is left of an implication stays", async () => {
    const app = await testServer.addApp({ permissions: ["files:write", "workers:read"] })
    const first = await bob.grant(app)
    await take(app, "files:write")
    assert.equal((await rotated(testServer, app, first)).scope, "workers:read")
  })

  test("an empty reach refreshes to an empty scope and comes back with the ceiling", async () => {
    const app = await testServer.addApp({ permissions: ["account:read"] })
    const first = await bob.grant(app)
    await give(app, "apps:read")
    await take(app, "account:read")
    const second = await rotated(testServer, app, first)
    assert.equal(second.scope, "")
    const { status, body } = await call(testServer, "/api/account", second.access_token)
    assert.equal(status, 403, JSON.stringify(body))
    await give(app, "account:read")
    assert.equal((await rotated(testServer, app, second)).scope, "account:read")
    assert.equal((await call(testServer, "/api/account", second.access_token)).status, 200)
  })

  test("a permission added to the registration widens nothing that is held", async () => {
    const app = await testServer.addApp({ permissions: ["account:read"] })
    const first = await bob.grant(app)
    await give(app, "files:write", "account:write")
    const second = await rotated(testServer, app, first)
    assert.equal(second.scope, "account:read")
    assert.equal(await reachOf(second.access_token), "account:read")
  })

  test("a narrowed token follows the registration too", async () => {
    const app = await testServer.addApp()
    const narrow = await rotated(testServer, app, await bob.grant(app), { scope: "files:read" })
    await take(app, "files:write")
    assert.equal(await reachOf(narrow.access_token), "")
    await give(app, "files:read")
    assert.equal(await reachOf(narrow.access_token), "workers:read files:read")
  })

  test("admin permissions reach only while the account is an administrator", async () => {
    const app = await testServer.addApp({ permissions: ["account:read", "admin:events"] })
    const first = await bob.grant(app, { scope: "account:read admin:events" })
    assert.equal(first.scope, "account:read admin:events")
    await setAdministration(testServer.latchkey, "bob", false, OPERATOR)
    assert.equal(await reachOf(first.access_token), "account:read")
    assertRefused(
      await refresh(testServer, app, first.refresh_token, { scope: "admin:events" }),
      400,
      "invalid_scope",
    )
    const second = await rotated(testServer, app, first)
    assert.equal(second.scope, "account:read")
    await setAdministration(testServer.latchkey, "bob", true, OPERATOR)
    assert.equal((await rotated(testServer, app, second)).scope, "account:read admin:events")
  })
})
