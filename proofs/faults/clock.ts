/**
 * The clock is set while the service runs, and between a stop and a start. It moves by seconds, back by a day, or ahead
 * and back by a hundred days. What ended stays ended, and no lifetime becomes too long. What was alive is alive again
 * when the clock is right.
 */
import assert from "node:assert/strict"
import { join } from "node:path"
import { connectIn, signedInBrowser } from "../../test/support/connect.ts"
import { movedClock, type SettableClock, settableClock } from "../../test/support/faketime.ts"
import { until } from "../../test/support/until.ts"
import type { Fault } from "./fault.ts"
import { type Pair, pairIn } from "../../test/nodes/history.ts"
import { World } from "./world.ts"
import { DAY } from "../../src/kernel/time.ts"

const ACCESS_SECONDS = 3600
const IDLE_SECONDS = 90 * DAY

/** Housekeeping runs once a second, so this time covers more than one round. */
const ROUNDS_MILLISECONDS = 2500

const SMALL = [1, -1, 7, -7, 30, -30, DAY, -DAY]

export const clockSet: Fault = {
  name: "clock set to and fro",
  rows: "CRED-4, LIM-5, LIM-7, SVC-2",
  engines: ["sqlite", "postgres"],
  times: 16,
  slice: 1,
  missing: () => (movedClock === null ? "faketime is not installed" : null),
  bringAbout: async ({ engine, span, work, choice, times }) => {
    const clock = settableClock(join(work, "clock"))
    const world = await World.open(span, join(work, "service"), engine, clock.environment)
    let jumps = 0
    for (let n = 0; n < times; n++) {
      jumps += await aHundredDays(world, clock, n % 2 === 1)
      const history = await world.history(4)
      let isOver = false
      const loaded = history.load(() => isOver)
      loaded.catch(() => undefined)
      for (let i = 0; i < 4; i++, jumps++) {
        clock.set(choice.one(SMALL))
        const known = history.acknowledged
        await until(() => history.acknowledged >= known + 12, "it goes on")
      }
      clock.set(0)
      isOver = true
      await loaded
    }
    await world.server.stop()
    await world.verify()
    const wrong = world.server.stderr.split("\n").filter((line) => /"level":"(error|fatal)"/.test(line))
    // Requests that a slow database delayed do not count.
    assert.deepEqual(
      wrong.filter((line) => !line.includes("StoreUnavailable")),
      [],
    )
    return jumps
  },
}

/** Sets the clock ahead and back. Returns the number of jumps. */
async function aHundredDays(world: World, clock: SettableClock, isRestarted: boolean): Promise<number> {
  const set = async (seconds: number) => {
    if (isRestarted) await world.server.stop()
    clock.set(seconds)
    if (isRestarted) await world.start()
  }
  const browser = await signedInBrowser(world, "alice")
  const [refused, ...quiet] = await Promise.all(
    [1, 2, 3, 4].map(async () => tokens(await connectIn(browser, world, world.app))),
  )
  assert.ok(refused)

  await set(100 * DAY)
  await new Promise((resolve) => setTimeout(resolve, ROUNDS_MILLISECONDS))
  await assertEnded(world, refused, "after a hundred days")
  const ahead = await connectIn(await signedInBrowser(world, "alice"), world, world.app)
  assert.ok(ahead.expires_in <= ACCESS_SECONDS && ahead.refresh_expires_in <= IDLE_SECONDS)
  assert.equal((await world.introspect(tokens(ahead))).body["active"], true)

  await set(0)
  await new Promise((resolve) => setTimeout(resolve, ROUNDS_MILLISECONDS))
  await assertEnded(world, refused, "what ended does not revive")
  assert.notEqual(
    (await world.introspect(tokens(ahead))).body["active"],
    true,
    "no access token lives for a hundred days",
  )
  for (const pair of [...quiet, tokens(ahead)]) {
    const { status, body } = await world.refresh(pair)
    assert.equal(status, 200, `what lived lives on: ${JSON.stringify(body)}`)
    assert.ok(Number(body["expires_in"]) <= ACCESS_SECONDS, `${String(body["expires_in"])} seconds`)
    assert.ok(
      Number(body["refresh_expires_in"]) <= IDLE_SECONDS,
      `${String(body["refresh_expires_in"])} seconds`,
    )
    assert.equal((await world.introspect(pairIn(body))).body["active"], true)
  }
  assert.equal((await browser.get("/account")).status, 200, "who was signed in is so still")
  return 2
}

async function assertEnded(world: World, pair: Pair, what: string): Promise<void> {
  const { status, body } = await world.refresh(pair)
  assert.deepEqual([status, body["error"]], [400, "invalid_grant"], what)
  assert.notEqual((await world.introspect(pair)).body["active"], true, what)
}

const tokens = (response: { access_token: string; refresh_token: string }): Pair => ({
  accessToken: response.access_token,
  refreshToken: response.refresh_token,
})

/**
 * The clocks differ by more than docs/interface.md allows. An app that receives its responses notices nothing, and
 * nothing revives.
 */
export const clocksApart: Fault = {
  name: "clocks of nodes apart",
  rows: "CRED-1, CRED-3, CODE-3",
  engines: ["postgres"],
  times: 8,
  slice: 0,
  missing: clockSet.missing,
  bringAbout: async ({ engine, span, work, choice, times }) => {
    const clock = settableClock(join(work, "clock"))
    const right = await World.open(span, join(work, "service"), engine)
    const wrong = await right.beside(clock.environment)
    const nodes = [right, wrong]
    for (let n = 0; n < times; n++) {
      clock.set(choice.one([6, 20, 50, -6, -20, -50, 600, -600]))
      let [pair] = await right.pairs(1)
      assert.ok(pair)
      for (let i = 0; i < 20; i++) {
        const node = nodes[i % 2] as World
        const { status, body } = await node.refresh(pair)
        assert.equal(status, 200, JSON.stringify(body))
        pair = pairIn(body)
        for (const one of nodes) assert.equal((await one.introspect(pair)).body["active"], true)
      }
      const ending = choice.one(nodes)
      assert.equal((await ending.revoke(pair)).status, 200)
      for (const one of nodes) {
        assert.notEqual((await one.introspect(pair)).body["active"], true, "revoked is revoked everywhere")
        assert.equal((await one.refresh(pair)).status, 400)
      }
    }
    await until(
      () => /clocks of this machine and of the database differ/.test(wrong.server.stderr),
      "the node says that its clock is wrong",
      70_000,
    )
    for (const node of nodes) await node.server.stop()
    await right.verify()
    return times
  },
}
