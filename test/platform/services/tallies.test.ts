import assert from "node:assert/strict"
import { test } from "node:test"
import type { ClientId } from "../../../src/kernel/ids.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import { bucketAt, type Tally } from "../../../src/model/tally.rules.ts"
import { DiskState } from "../../../src/platform/services/disk-state.ts"
import { Tallies } from "../../../src/platform/services/tallies.ts"
import type { Store } from "../../../src/store/store.ts"
import { StoreUnavailable } from "../../../src/store/unavailable.ts"
import { openLog } from "../../../src/kernel/log.ts"
import { testClock } from "../../support/clock.ts"
import { id } from "../../store/samples.ts"

/** Accepts or refuses what is written, as a database does. */
function notebook() {
  const written: Tally[][] = []
  const state = { isAway: false, written }
  const change: Store["change"] = async (_, decide) => {
    if (state.isAway) throw new StoreUnavailable("away")
    const { answer, changes } = decide({} as never)
    for (const one of changes as readonly Change[])
      if (one.change === "tallied") written.push([...one.tallies])
    return answer
  }
  return { state, change }
}

function opened() {
  const clock = testClock()
  const { state, change } = notebook()
  return {
    clock,
    state,
    tallies: new Tallies({ store: { change }, clock, log: openLog("silent"), disk: new DiskState() }),
  }
}

const shown = (tallies: readonly Tally[] | undefined) =>
  (tallies ?? []).map(({ grain, name, clientId, count }) => [grain, name, clientId, count])

test("what was counted is written in one change: by minute and hour for the service, by day for an app", async () => {
  const { clock, state, tallies } = opened()
  const app = id<ClientId>("c")
  tallies.count("credential.refreshed", app)
  tallies.count("credential.refreshed", app)
  tallies.count("sign-in.done")
  await tallies.flush()
  assert.equal(state.written.length, 1)
  assert.deepEqual(shown(state.written[0]), [
    ["minute", "credential.refreshed", null, 2],
    ["hour", "credential.refreshed", null, 2],
    ["minute", "sign-in.done", null, 1],
    ["hour", "sign-in.done", null, 1],
    ["day", "credential.refreshed", app, 2],
  ])
  for (const { grain, at } of state.written[0] ?? []) assert.equal(at, bucketAt(grain, clock.now()))
})

test("where nothing happened nothing is written", async () => {
  const { state, tallies } = opened()
  await tallies.flush()
  tallies.count("sign-in.done")
  await tallies.flush()
  await tallies.flush()
  assert.equal(state.written.length, 1)
})

test("what the database does not take is kept with its time, and written later", async () => {
  const { clock, state, tallies } = opened()
  const first = bucketAt("minute", clock.now())
  state.isAway = true
  tallies.count("sign-in.done")
  await tallies.flush()
  tallies.count("sign-in.done")
  await tallies.flush()
  clock.advance(60)
  tallies.count("sign-in.done")
  await tallies.flush()
  state.isAway = false
  await tallies.flush()
  const minutes = state.written[0]?.filter(({ grain }) => grain === "minute")
  assert.deepEqual(
    minutes?.map(({ at, count }) => [at - first, count]),
    [
      [0, 2],
      [60, 1],
    ],
  )
  assert.equal(state.written.length, 1)
})

test("what is counted while a round is written belongs to the next one", async () => {
  const { state, tallies } = opened()
  tallies.count("sign-in.done")
  const round = tallies.flush()
  tallies.count("sign-in.done")
  await Promise.all([round, tallies.flush()])
  assert.deepEqual(
    state.written.map((rows) => rows[0]?.count),
    [1, 1],
  )
})

test("apps beyond the bound are counted for the service only, and a database that stays away fills no memory", async () => {
  const { state, tallies } = opened()
  state.isAway = true
  for (let round = 0; round < 4; round++) {
    for (let i = 0; i < 25_000; i++) tallies.count("credential.issued", id<ClientId>("c", round * 25_000 + i))
    await tallies.flush()
  }
  state.isAway = false
  await tallies.flush()
  const [rows = []] = state.written
  assert.equal(rows.length, 50_000)
  assert.equal(rows.find(({ grain }) => grain === "hour")?.count, 100_000)
})

test("totals are since the process began, written or not", async () => {
  const { tallies } = opened()
  tallies.count("sign-in.done")
  await tallies.flush()
  tallies.count("sign-in.done")
  assert.deepEqual([...tallies.totals()], [["sign-in.done", 2]])
})
