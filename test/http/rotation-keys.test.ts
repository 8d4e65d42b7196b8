/** What a repeated refresh is derived from, and for how long: CRED-6. */
import { after, before, describe, test } from "node:test"
import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { halfMinuteOf } from "../../src/records/rotation-key.rules.ts"
import type { TokenResponse } from "../../src/oauth/credential/token-response.rules.ts"
import { start, stop } from "../../src/main.ts"
import { own, refresh, send } from "../support/connect.ts"
import { ENGINE } from "../support/database.ts"
import { TestServer, type TestApp } from "../support/house.ts"
import { assertRefused } from "./answers.ts"
import { Holder, rotated } from "./signed-in.ts"
import { stateOf } from "./stored.ts"

let house: TestServer
let bob: Holder
let app: TestApp

before(async () => {
  house = await TestServer.open()
  await house.set("rate_limit.oauth_anonymous", "off")
  await house.addAccount("bob")
  bob = new Holder(house, "bob")
  app = await house.addApp()
})
after(() => house.close())

/** The key that a rotation of this moment is derived with. */
async function keyOfNow(): Promise<string> {
  const now = house.clock.now()
  const keys = await house.latchkey.rotationKeys.at(now)
  return keys.get(halfMinuteOf(now)) ?? assert.fail("there is no key")
}

/** Whether a key is in any file of the service, or in the shared table. */
async function isStored(key: string): Promise<boolean> {
  const files = readdirSync(house.dir).map((name) => readFileSync(join(house.dir, name), "latin1"))
  const rows = ENGINE === "postgres" ? await house.database.rows("SELECT key FROM rotation_key") : []
  return [...files, ...rows.map((row) => String(row["key"]))].some((text) => text.includes(key))
}

async function retiredNow(): Promise<{ first: TokenResponse; second: TokenResponse; key: string }> {
  const first = await bob.grant(app)
  const key = await keyOfNow()
  return { first, second: await rotated(house, app, first), key }
}

describe("CRED-6: the key of a retirement is deleted", () => {
  test("by the tick once no window of its half minute is open, from the store and from memory", async () => {
    const { first, key } = await retiredNow()
    assert.equal(await isStored(key), true)
    house.clock.advance(60)
    await house.latchkey.rotationKeys.tick()
    assert.equal((await refresh(house, app, first.refresh_token)).status, 200, "kept for its sixty seconds")
    house.clock.advance(40)
    await house.latchkey.rotationKeys.tick()
    assert.equal(await isStored(key), false)
    assert.ok(![...(await house.latchkey.rotationKeys.load()).values()].includes(key))
  })

  test("at the start, where the service was stopped meanwhile", async () => {
    const { key } = await retiredNow()
    house.clock.advance(100)
    await house.restart()
    assert.equal(await isStored(key), false)
  })

  test("a backup has no key, whenever it is made", { skip: ENGINE === "postgres" }, async () => {
    const { first, second, key } = await retiredNow()
    const copy = join(house.dir, "copy.db")
    await house.store.backup(copy)
    const text = readFileSync(copy, "latin1")
    for (const held of await house.latchkey.rotationKeys.load()) assert.ok(!text.includes(held[1]))
    assert.ok(!text.includes(key))
    assert.equal((await rotated(house, app, first)).refresh_token, second.refresh_token)
  })

  test("without its key a repeat inside the window is refused, and the credential lives", async () => {
    const { first, second } = await retiredNow()
    // The clock runs ahead, and is set right while the window is open by it.
    house.clock.advance(150)
    await house.latchkey.rotationKeys.tick()
    house.clock.setWall(house.clock.now() - 140)
    assertRefused(await refresh(house, app, first.refresh_token), 400, "invalid_grant")
    assert.equal(await stateOf(house, first.token_id), "active")
    await rotated(house, app, second)
  })

  test("another key in its place yields no other pair: refused, and the credential lives", async () => {
    const { first, second, key } = await retiredNow()
    const now = house.clock.now()
    const span = { first: halfMinuteOf(now), last: halfMinuteOf(now) }
    await house.store.keepRotationKeys({ first: 0, last: 0 }, new Map())
    await house.store.keepRotationKeys(span, new Map([[span.first, "x".repeat(43)]]))
    await house.restart()
    assert.notEqual(await keyOfNow(), key)
    assertRefused(await refresh(house, app, first.refresh_token), 400, "invalid_grant")
    assert.equal(await stateOf(house, first.token_id), "active")
    await rotated(house, app, second)
  })
})

describe("CRED-6, LIM-4: a lost answer is still repeated", () => {
  test("at every second of its window, in every second of a half minute", async () => {
    for (let offset = 0; offset < 30; offset += 7) {
      house.clock.advance(7)
      const { first, second } = await retiredNow()
      for (const passed of [0, 29, 30, 31]) {
        house.clock.advance(passed === 0 ? 0 : passed === 29 ? 29 : passed === 30 ? 1 : 30)
        await house.latchkey.rotationKeys.tick()
        assert.equal((await rotated(house, app, first)).refresh_token, second.refresh_token)
      }
    }
  })

  test("by another node, and by one that starts later", async () => {
    const { catalogue, keys, log } = house.latchkey
    const options = { catalogue, trustedProxies: [], host: "127.0.0.1", port: 0, baseUrl: null }
    const store = await house.database.open()
    const other = await start(options, store, { clock: house.clock, keys, log })
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
    const { rotationKeys } = house.latchkey
    // Another node brings its key back: this one has lost it.
    house.clock.advance(200)
    await rotationKeys.tick()
    house.clock.setWall(house.clock.now() - 190)
    const half = halfMinuteOf(house.clock.now() - 10)
    const { first: from } = { first: half - 2 }
    await house.store.keepRotationKeys({ first: from, last: half + 4 }, new Map([[half, key]]))
    assert.equal((await rotated(house, app, first)).refresh_token, second.refresh_token)
  })
})
