/** Tests the appearance of a service with two nodes. Both see one database, and the test moves their clock. */
import { after, test } from "node:test"
import assert from "node:assert/strict"
import { start, stop } from "../../../src/main.ts"
import { elevate } from "../api/api-world.ts"
import { fixture } from "../../support/fixture.ts"
import { grant } from "../../support/grant.ts"

const { testServer, ada, app } = await fixture({
  admins: ["ada"],
  browsers: ["ada"],
  apps: { app: { permissions: ["admin:settings"], stepUp: true } },
})
const { catalog, keys, log } = testServer.latchkey
const store = await testServer.database.open()
const options = { catalog, trustedProxies: [], host: "127.0.0.1", port: 0, baseUrl: null }
const other = await start(options, store, { clock: testServer.clock, keys, log })
other.endHousekeeping()
after(async () => {
  await stop(other, log)
  await store.close()
})

const titleOn = async (url: string) => {
  const page = await (await fetch(`${url}/sign-in`)).text()
  return /<title>(.*)<\/title>/.exec(page)?.[1]
}

test("LOOK-2 a name that one node stores is on the pages of the other within a second", async () => {
  const credential = await grant(testServer, ada, app, { scope: "admin:settings" })
  await elevate(testServer, ada, credential)
  const otherUrl = `http://localhost:${other.port}`
  assert.equal(await titleOn(otherUrl), "Sign in · Latchkey")
  const answer = await fetch(`${testServer.url}/api/admin/appearance`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${credential.access_token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "Orchard" }),
  })
  assert.equal(answer.status, 200)
  assert.equal(await titleOn(testServer.url), "Sign in · Orchard")
  assert.equal(await titleOn(otherUrl), "Sign in · Latchkey", "the other node has not asked again")
  testServer.clock.advance(1)
  assert.equal(await titleOn(otherUrl), "Sign in · Orchard")
})
