/** Tests the keys from which a repeated refresh is derived, and how long they are kept: CRED-6. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { halfMinuteOf } from "../../../src/model/rotation-key.rules.ts"
import type { TokenResponse } from "../../../src/oauth/credential/token-response.rules.ts"
import { start, stop } from "../../../src/main.ts"
import { own, refresh, send } from "../../support/connect.ts"
import { ENGINE } from "../../support/database.ts"
import { assertRefused } from "../../support/answers.ts"
import { fixture } from "../../support/fixture.ts"
import { rotated } from "../../support/signed-in.ts"
import { stateOf } from "../../support/stored.ts"

const { testServer, bob, app } = await fixture({
  rateLimit: "off",
  accounts: ["bob"],
  signedIn: ["bob"],
  apps: { app: {} },
})

/** Returns the key from which a rotation at this moment is derived. */
async function keyOfNow(): Promise<string> {
  const now = testServer.clock.now()
  const keys = await testServer.latchkey.rotationKeys.at(now)
  return keys.get(halfMinuteOf(now)) ?? assert.fail("there is no key")
}

/** Whether a key is in a file of the service or in the shared table. */
async function isStored(key: string): Promise<boolean> {
  const files = readdirSync(testServer.dir).map((name) => readFileSync(join(testServer.dir, name), "latin1"))
  const rows = ENGINE === "postgres" ? await testServer.database.rows("SELECT key FROM rotation_key") : []
  return [...files, ...rows.map((row) => String(row["key"]))].some((text) => text.includes(key))
}

async function retiredNow(): Promise<{ first: TokenResponse; second: TokenResponse; key: string }> {
  const first = await bob.grant(app)
  const key = await keyOfNow()
  return { first, second: await rotated(testServer, app, first), key }
}

describe("CRED-6: the key of a retirement is deleted", () => {
  test("by the tick once no window of its half minute is open, from the store and from memory", async () => {
    const { first, key } = await retiredNow()
    assert.equal(await isStored(key), true)
    testServer.clock.advance(60)
    await testServer.latchkey.rotationKeys.tick()
    assert.equal(
      (await refresh(testServer, app, first.refresh_token)).status,
      200,
      "kept for its sixty seconds",
    )
    testServer.clock.advance(40)
    await testServer.latchkey.rotationKeys.tick()
    assert.equal(await isStored(key), false)
    assert.ok(![...(await testServer.latchkey.rotationKeys.load()).values()].includes(key))
  })

  test("at the start, where the service was stopped meanwhile", async () => {
    const { key } = await retiredNow()
    testServer.clock.advance(100)
    await testServer.restart()
    assert.equal(await isStored(key), false)
  })

  test("a backup has no key, whenever it is made", { skip: ENGINE === "postgres" }, async () => {
    const { first, second, key } = await retiredNow()
    const copy = join(testServer.dir, "copy.db")
    await testServer.store.backup(copy)
    const text = readFileSync(copy, "latin1")
    for (const held of await testServer.latchkey.rotationKeys.load()) assert.ok(!text.includes(held[1]))
    assert.ok(!text.includes(key))
    assert.equal((await rotated(testServer, app, first)).refresh_token, second.refresh_token)
  })

  test("without its key a repeat inside the window is refused, and the credential lives", async () => {
    const { first, second } = await retiredNow()
    // The clock is ahead. It is corrected while the grace period is open according to this clock.
    testServer.clock.advance(150)
    await testServer.latchkey.rotationKeys.tick()
    testServer.clock.setWall(testServer.clock.now() - 140)
    assertRefused(await refresh(testServer, app, first.refresh_token), 400, "invalid_grant")
    assert.equal(await stateOf(testServer, first.token_id), "active")
    await rotated(testServer, app, second)
  })

  test("another key in its place yields no other pair: refused, and the credential lives", async () => {
    const { first, second, key } = await retiredNow()
    const now = testServer.clock.now()
    const span = { first: halfMinuteOf(now), last: halfMinuteOf(now) }
    await testServer.store.keepRotationKeys({ first: 0, last: 0 }, new Map())
    await testServer.store.keepRotationKeys(span, new Map([[span.first, "x".repeat(43)]]))
    await testServer.restart()
    assert.notEqual(await keyOfNow(), key)
    assertRefused(await refresh(testServer, app, first.refresh_token), 400, "invalid_grant")
    assert.equal(await stateOf(testServer, first.token_id), "active")
    await rotated(testServer, app, second)
  })
})

describe("CRED-6, LIM-4: a lost answer is still repeated", () => {
  test("at every second of its window, in every second of a half minute", async () => {
    for (let offset = 0; offset < 30; offset += 7) {
      testServer.clock.advance(7)
      const { first, second } = await retiredNow()
      for (const passed of [0, 29, 30, 31]) {
        testServer.clock.advance(passed === 0 ? 0 : passed === 29 ? 29 : passed === 30 ? 1 : 30)
        await testServer.latchkey.rotationKeys.tick()
        assert.equal((await rotated(testServer, app, first)).refresh_token, second.refresh_token)
      }
    }
  })

  test("by another node, and by one that starts later", async () => {
    const { catalog, keys, log } = testServer.latchkey
    const options = { catalog, trustedProxies: [], host: "127.0.0.1", port: 0, baseUrl: null }
    const store = await testServer.database.open()
    const other = await start(options, store, { clock: testServer.clock, keys, log })
    try {
      const { first, second } = await retiredNow()
      const again = await send({ url: `http://localhost:${other.port}` }, "/oauth/token", {
        ...own(app),
        grant_type: "refresh_token",
        refresh_token: first.refresh_token,
      })
      assert.equal(again.body["refresh_token"], second.refresh_token)
    } finally {
      await stop(other, log)
      await store.close()
    }
  })

  test("by a node that has not read the key yet", async () => {
    const { first, second, key } = await retiredNow()
    const { rotationKeys } = testServer.latchkey
    // Another node writes its key again, because this node has lost it.
    testServer.clock.advance(200)
    await rotationKeys.tick()
    testServer.clock.setWall(testServer.clock.now() - 190)
    const half = halfMinuteOf(testServer.clock.now() - 10)
    const { first: from } = { first: half - 2 }
    await testServer.store.keepRotationKeys({ first: from, last: half + 4 }, new Map([[half, key]]))
    assert.equal((await rotated(testServer, app, first)).refresh_token, second.refresh_token)
  })
})
