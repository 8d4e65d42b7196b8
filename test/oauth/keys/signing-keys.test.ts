/** Tests the signing keys of several nodes on one database. */
import { test, type TestContext } from "node:test"
import assert from "node:assert/strict"
import { createPublicKey, type JsonWebKey, sign, verify } from "node:crypto"
import { DAY, HOUR } from "../../../src/kernel/time.ts"
import { openLog } from "../../../src/kernel/log.ts"
import { startHousekeeping } from "../../../src/admin/upkeep/housekeeping.ts"
import { decideRotation } from "../../../src/oauth/keys/key-turn.rules.ts"
import { makeKey } from "../../../src/oauth/keys/make-key.ts"
import { signingKeysOf } from "../../../src/oauth/keys/signing-keys.ts"
import { testClock } from "../../support/clock.ts"
import { fixture } from "../../support/fixture.ts"
import { until } from "../../support/until.ts"

/** Nodes on one database. Each has a store of its own, so that it has keys of its own in memory. */
async function nodes(t: TestContext) {
  const { testServer } = await fixture({ span: t })
  const { latchkey } = testServer
  const node = (clock = testServer.clock, afterRead = () => Promise.resolve()) => {
    const store = Object.create(latchkey.store) as typeof latchkey.store
    const read: typeof store.read = async (load) => {
      const found = await latchkey.store.read(load)
      await afterRead()
      return found
    }
    const change = latchkey.store.change.bind(latchkey.store)
    for (const [name, value] of Object.entries({ read, change }))
      Object.defineProperty(store, name, { value })
    return signingKeysOf({ store, clock, keys: latchkey.keys, log: openLog("silent") })
  }
  const rotate = async (isNow: boolean) => {
    const now = testServer.clock.now()
    const made = await makeKey("ES256", latchkey.keys, now)
    return latchkey.store.change({ signingKeys: true }, ({ signingKeys }) =>
      decideRotation(signingKeys ?? [], made, isNow, now),
    )
  }
  return { testServer, node, rotate }
}

test("SIGN-3 of many nodes that make the first key at once, all sign with the same one", async (t) => {
  const { node } = await nodes(t)
  const signers = await Promise.all(Array.from({ length: 8 }, async () => node().signer("ES256")))
  assert.equal(new Set(signers.map(({ kid }) => kid)).size, 1)
})

test("SIGN-3 a node that slept while a key was replaced signs with the new one at once", async (t) => {
  const { testServer, node, rotate } = await nodes(t)
  const asleep = testClock()
  const slept = node(asleep)
  const first = await slept.signer("ES256")
  const second = await rotate(true)
  // While a machine sleeps, its monotonic clock may stand still.
  asleep.setWall(asleep.now() + 2 * DAY)
  testServer.clock.advance(2 * DAY)
  const signer = await slept.signer("ES256")
  assert.equal(signer.kid, second.kid)
  assert.notEqual(signer.kid, first.kid)
})

test("SIGN-3 a node that was stopped in the middle of a read signs with the key of now", async (t) => {
  const { testServer, node, rotate } = await nodes(t)
  let pause = Promise.resolve()
  let reads = 0
  const stopped = node(testServer.clock, async () => {
    reads++
    await pause
  })
  const first = await stopped.signer("ES256")
  testServer.clock.advance(1)
  const paused = Promise.withResolvers<undefined>()
  pause = paused.promise
  const before = reads
  const early = stopped.signer("ES256")
  await until(() => reads > before, "the keys are read")
  const second = await rotate(true)
  testServer.clock.advance(1)
  pause = Promise.resolve()
  assert.equal((await stopped.signer("ES256")).kid, second.kid)
  paused.resolve(undefined)
  assert.equal((await early).kid, first.kid)
  assert.equal((await stopped.signer("ES256")).kid, second.kid)
})

test("SIGN-2 the published keys verify what is signed, and a withdrawn one is not among them", async (t) => {
  const { testServer, node, rotate } = await nodes(t)
  const keys = node()
  const published = async () =>
    (await keys.published()).keys as readonly (JsonWebKey & { readonly kid: string; readonly alg: string })[]
  assert.deepEqual((await published()).map(({ alg }) => alg).toSorted(), ["ES256", "RS256"])
  const { kid, key } = await keys.signer("ES256")
  const jwk = (await published()).find((of) => of.kid === kid) ?? assert.fail("the key is not published")
  assert.equal("d" in jwk, false)
  const signed = sign("sha256", Buffer.from("text"), key)
  assert.ok(verify("sha256", Buffer.from("text"), createPublicKey({ key: jwk, format: "jwk" }), signed))
  await rotate(true)
  testServer.clock.advance(1)
  assert.equal(
    (await published()).some((of) => of.kid === kid),
    false,
  )
})

test("SIGN-1 housekeeping makes the first keys and replaces them, without a request", async (t) => {
  const { testServer } = await nodes(t)
  const { latchkey, clock } = testServer
  await testServer.set("openid.enabled", "on")
  const states = async () =>
    (await latchkey.store.read({ signingKeys: true })).signingKeys
      ?.map(({ algorithm, state }) => `${algorithm} ${state}`)
      .toSorted()
  t.after(startHousekeeping(latchkey, () => Promise.resolve(clock.now())))
  const become = async (...wanted: readonly string[]) =>
    until(async () => (await states())?.join() === wanted.join(), wanted.join(), 60_000)
  await become("ES256 signing", "RS256 signing")
  clock.advance(90 * DAY + HOUR)
  await become("ES256 next", "ES256 signing", "RS256 next", "RS256 signing")
  clock.advance(DAY + HOUR)
  await become("ES256 former", "ES256 signing", "RS256 former", "RS256 signing")
})
