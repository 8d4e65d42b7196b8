/** The ceiling of self-registered apps: it follows `registration.permissions` until it is changed by hand. */
import { beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import { startHousekeeping } from "../../../src/admin/upkeep/housekeeping.ts"
import { updateApp } from "../../../src/apps/app.ts"
import type { ClientId } from "../../../src/kernel/ids.ts"
import { assertRefused, returned } from "../../support/answers.ts"
import { authorizePath, connectIn, newVerifier, REDIRECT_URI, refresh, send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { OPERATOR } from "../../support/test-server.ts"
import { until } from "../../support/until.ts"
import { answerDevice, fetched, started } from "../../oauth/device/device.ts"
import { registered, TOOL } from "./register.ts"

const { testServer, bob } = await fixture({ accounts: ["bob"], browsers: ["bob"], rateLimit: "off" })
const { challenge } = newVerifier()

beforeEach(async () => {
  await testServer.set("registration.open", "on")
  await testServer.set("registration.permissions", "account:read files:read files:write")
})

let apps = 0
const newApp = (scope: string) => registered(testServer, { ...TOOL, client_name: `App ${++apps}`, scope })

async function storedClient(clientId: string) {
  const { client } = await testServer.store.read({ client: clientId as ClientId })
  return client ?? assert.fail("the app is stored")
}

const ceilingOf = async (clientId: string) => (await storedClient(clientId)).ceiling.join(" ")

async function whileHousekeeping(run: () => Promise<void>): Promise<void> {
  const stop = startHousekeeping(testServer.latchkey, () => Promise.resolve(testServer.clock.now()))
  try {
    await run()
  } finally {
    stop()
  }
}

describe("REG-4: the scope of a registration does not narrow the ceiling", () => {
  test("the record names the ceiling, and the app asks for more later, as after insufficient_scope", async () => {
    const app = await newApp("account:read no:such admin:accounts")
    assert.equal(app.answer["scope"], "account:read files:read files:write")
    const { scope } = await connectIn(bob, testServer, app, { scope: "account:read" })
    assert.equal(scope, "account:read")
    const wider = await connectIn(bob, testServer, app, { scope: "account:read files:read" })
    assert.equal(wider.scope, "account:read workers:read files:read")
    assert.equal((await connectIn(bob, testServer, app)).scope.includes("files:write"), true)
  })

  test("the same app with another scope is the same app", async () => {
    const one = await registered(testServer, { ...TOOL, client_name: "Same", scope: "account:read" })
    const other = await registered(testServer, { ...TOOL, client_name: "Same", scope: "files:write" })
    assert.equal(other.clientId, one.clientId)
  })
})

describe("REG-4: the ceiling follows registration.permissions", () => {
  test("at the next authorization, in both directions", async () => {
    const app = await newApp("account:read")
    const ask = (scope: string) => bob.get(authorizePath(app, challenge, { scope }))
    await testServer.set("registration.permissions", "account:read")
    assert.equal(returned(await ask("files:write"), REDIRECT_URI)["error"], "invalid_scope")
    await testServer.set("registration.permissions", "account:read files:write")
    assert.equal((await ask("files:write")).status, 200)
  })

  test("at the next device authorization, in both directions, also for the consent and the token", async () => {
    const app = await newApp("account:read")
    const ask = (scope: string) =>
      send(testServer, "/oauth/device-authorization", { client_id: app.clientId, scope })
    await testServer.set("registration.permissions", "account:read")
    assertRefused(await ask("files:write"), 400, "invalid_scope")
    await testServer.set("registration.permissions", "account:read files:write")
    assert.equal((await ask("files:write")).status, 200)
    await testServer.set("registration.permissions", "account:read")
    const narrow = started((await ask("account:read")).body)
    assert.equal(await ceilingOf(app.clientId), "account:read")
    assert.equal((await answerDevice(bob, narrow, "authorize")).status, 200)
    assert.equal((await fetched(testServer, app, narrow)).scope, "account:read")
  })

  test("in the answer to a repeated registration, in both directions", async () => {
    const app = await newApp("account:read")
    for (const open of ["account:read", "account:read files:write"]) {
      await testServer.set("registration.permissions", open)
      const again = await registered(testServer, { ...TOOL, client_name: `App ${apps}` })
      assert.deepEqual([again.clientId, again.answer["scope"]], [app.clientId, open])
      assert.equal(await ceilingOf(app.clientId), open)
    }
  })

  test("in tokens and device codes, without an authorization in between", async () => {
    const app = await newApp("files:write")
    const held = await connectIn(bob, testServer, app, { scope: "files:write" })
    await whileHousekeeping(async () => {
      await testServer.set("registration.permissions", "account:read")
      await until(async () => (await ceilingOf(app.clientId)) === "account:read", "the ceiling follows")
      assert.equal((await refresh(testServer, app, held.refresh_token)).body["scope"], "")
      const device = { client_id: app.clientId, scope: "files:write" }
      assertRefused(await send(testServer, "/oauth/device-authorization", device), 400, "invalid_scope")
      const { rows } = await testServer.store.invalidations(0, 1000)
      assert.ok(rows.some(({ of, key }) => of === "client" && key === app.clientId))
    })
  })
})

describe("REG-4: a ceiling that was changed by hand", () => {
  test("stays as it is, at authorizations and in housekeeping", async () => {
    const [byHand, other] = [await newApp("account:read"), await newApp("account:read")]
    const removal = { removePermissions: ["files:write"] }
    assert.ok((await updateApp(testServer.latchkey, byHand.clientId, removal, OPERATOR)).ok)
    const ask = (scope: string) => bob.get(authorizePath(byHand, challenge, { scope }))
    await testServer.set("registration.permissions", "account:read files:write")
    assert.equal(returned(await ask("files:write"), REDIRECT_URI)["error"], "invalid_scope")
    await whileHousekeeping(async () => {
      await until(
        async () => (await ceilingOf(other.clientId)) === "account:read files:write",
        "another follows",
      )
    })
    assert.equal(await ceilingOf(byHand.clientId), "account:read files:read")
    assert.deepEqual(await testServer.store.verify(), [])
  })

  test("is not one whose other members were changed", async () => {
    const app = await newApp("account:read")
    const update = { verified: true, permissions: (await storedClient(app.clientId)).ceiling }
    assert.ok((await updateApp(testServer.latchkey, app.clientId, update, OPERATOR)).ok)
    await testServer.set("registration.permissions", "files:write")
    assert.equal((await bob.get(authorizePath(app, challenge, { scope: "files:write" }))).status, 200)
    assert.equal(await ceilingOf(app.clientId), "files:write")
  })
})
