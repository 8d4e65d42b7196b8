/** Tests when the settings are read again, and who waits for that. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { LiveSettings } from "../../../src/platform/services/live-settings.ts"
import type { Store } from "../../../src/store/store.ts"
import { StoreUnavailable } from "../../../src/store/unavailable.ts"
import { sampleCatalog } from "../../support/core-sample.ts"
import { testClock } from "../../support/clock.ts"

/** Returns a store that returns the settings when the test tells it to. */
function slowStore() {
  const asked: PromiseWithResolvers<ReadonlyMap<string, string>>[] = []
  const settings = () => {
    const answer = Promise.withResolvers<ReadonlyMap<string, string>>()
    asked.push(answer)
    return answer.promise
  }
  const read = () => Promise.resolve({ anyBinding: null, anyClientWithKeys: null })
  return { asked, store: { settings, read } as unknown as Store }
}

const withAccessSeconds = (seconds: number) => new Map([["token.access_seconds", String(seconds)]])

async function opened() {
  const clock = testClock()
  const { asked, store } = slowStore()
  const opening = LiveSettings.open(store, clock, sampleCatalog)
  asked[0]?.resolve(withAccessSeconds(100))
  return { clock, asked, live: await opening }
}

const accessSeconds = async (live: LiveSettings) => (await live.current()).accessSeconds

test("RATE-3 settings are a value while they are fresh, and one read serves all requests when they are not", async () => {
  const { clock, asked, live } = await opened()
  clock.advance(0.2)
  assert.ok(!(live.current() instanceof Promise))
  assert.equal(asked.length, 1)
  clock.advance(0.8)
  const waiting = [accessSeconds(live), accessSeconds(live), accessSeconds(live)]
  assert.equal(asked.length, 2)
  asked[1]?.resolve(withAccessSeconds(200))
  assert.deepEqual(await Promise.all(waiting), [200, 200, 200])
})

test("RATE-3 under load no request waits: the next settings are read after the answer", async () => {
  const { clock, asked, live } = await opened()
  clock.advance(0.3)
  assert.ok(!(live.current() instanceof Promise))
  assert.equal(asked.length, 2)
  asked[1]?.resolve(withAccessSeconds(200))
  await asked[1]?.promise
  await new Promise(setImmediate)
  const fresh = live.current()
  assert.ok(!(fresh instanceof Promise) && fresh.accessSeconds === 200)
})

test("RATE-3 while a read hangs, requests use the settings of the last second, and it does not undo newer ones", async () => {
  const { clock, asked, live } = await opened()
  clock.advance(0.3)
  assert.equal(await accessSeconds(live), 100)
  clock.advance(0.8)
  const waiting = accessSeconds(live)
  assert.equal(asked.length, 3)
  asked[2]?.resolve(withAccessSeconds(300))
  assert.equal(await waiting, 300)
  asked[1]?.resolve(withAccessSeconds(200))
  await new Promise(setImmediate)
  assert.equal(await accessSeconds(live), 300)
})

test("ERR-9 while the database is away the last ones serve what is answered all the same, and nothing else", async () => {
  const { clock, asked, live } = await opened()
  clock.advance(0.3)
  assert.equal(await accessSeconds(live), 100)
  asked[1]?.reject(new StoreUnavailable("away"))
  await new Promise(setImmediate)
  clock.advance(0.7)
  const waiting = live.lastKnown()
  const refused = assert.rejects(accessSeconds(live), StoreUnavailable)
  asked[2]?.reject(new StoreUnavailable("away"))
  assert.equal((await waiting).accessSeconds, 100)
  await refused
})

test("LOOK-2 a change of this node is in its next answer, and a read that began before it does not undo it", async () => {
  const { clock, asked, live } = await opened()
  clock.advance(0.3)
  assert.ok(!(live.current() instanceof Promise))
  clock.advance(0.001)
  live.expire()
  const changed = accessSeconds(live)
  asked[2]?.resolve(withAccessSeconds(300))
  assert.equal(await changed, 300)
  asked[1]?.resolve(withAccessSeconds(200))
  await new Promise(setImmediate)
  assert.equal(await accessSeconds(live), 300)
})
