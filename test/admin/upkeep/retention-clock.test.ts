/**
 * Tests the clock that decides which rows are deleted. Its state survives a restart, a jump is logged once, and the
 * clock is never ahead of a shared database.
 */
import assert from "node:assert/strict"
import { beforeEach, test } from "node:test"
import type { Change, Decided } from "../../../src/model/change.rules.ts"
import { DAY, HOUR } from "../../../src/kernel/time.ts"
import { retentionClock } from "../../../src/admin/upkeep/retention-clock.ts"
import type { Services } from "../../../src/platform/services/services.ts"
import { type TestClock, testClock } from "../../support/clock.ts"

let clock: TestClock
let start: number
let kept: { value: string } | null
let writes: number
let warnings: number[]

beforeEach(() => {
  clock = testClock()
  start = clock.now()
  kept = null
  writes = 0
  warnings = []
})

const store = {
  read: () => Promise.resolve({ meta: kept }),
  change: (_: unknown, decide: (found: { meta: typeof kept }) => Decided<unknown>) => {
    const { answer, changes } = decide({ meta: kept })
    for (const change of changes) {
      const { value } = change as Extract<Change, { change: "metaSet" }>
      kept = { value }
      writes++
    }
    return Promise.resolve(answer)
  },
}
const log = { warn: ({ aheadSeconds }: { aheadSeconds: number }) => warnings.push(aheadSeconds) }

/** Creates the clock as a start does. `shared` returns the clock of the database. */
const started = (shared: (() => Promise<number>) | null = null) =>
  retentionClock({
    store,
    clock,
    log,
    shared: shared === null ? null : { now: shared },
  } as unknown as Services)

test("CRED-4: a clock that jumps ahead is logged once and doubted for a day, whatever is restarted", async () => {
  let readClock = started()
  assert.equal(await readClock(), start)
  clock.setWall(start + 100 * DAY)
  for (let round = 0; round < 3; round++) assert.equal(await readClock(), start)
  clock.advance(DAY / 2)
  readClock = started()
  assert.equal(await readClock(), start)
  assert.deepEqual(warnings, [100 * DAY])
  clock.advance(DAY / 2)
  assert.equal(await readClock(), start + 101 * DAY)
  assert.equal(await started()(), start + 101 * DAY)
})

test("CRED-4: a corrected clock is trusted, and the doubt is forgotten through a restart", async () => {
  const readClock = started()
  await readClock()
  clock.setWall(start + 100 * DAY)
  await readClock()
  clock.setWall(start + HOUR)
  assert.equal(await readClock(), start + HOUR)
  clock.setWall(start + 100 * DAY)
  assert.equal(await started()(), start + HOUR, "it is doubted again")
})

test("CRED-4: no row goes by an instant that is not yet", async () => {
  const readClock = started()
  await readClock()
  clock.setWall(start - 100 * DAY)
  assert.equal(await readClock(), start - 100 * DAY)
  assert.equal(await started()(), start - 100 * DAY)
})

test("CRED-4: a node is never ahead of the database, by however little its clock is set at a time", async () => {
  const readClock = started(() => Promise.resolve(start + 0.7))
  for (const days of [0, 6, 12, 18, 400]) {
    clock.setWall(start + days * DAY)
    assert.equal(await readClock(), start, `${days} days`)
  }
  clock.setWall(start - 3)
  assert.equal(await readClock(), start - 3, "nor of itself")
  assert.deepEqual(warnings, [])
})

test("CRED-4: a database that does not answer with its time is asked again, and no time is trusted meanwhile", async () => {
  let isAway = true
  const readClock = started(() => (isAway ? Promise.reject(new Error("away")) : Promise.resolve(start)))
  clock.setWall(start + 400 * DAY)
  await assert.rejects(readClock(), /away/)
  assert.equal(kept, null)
  isAway = false
  assert.equal(await readClock(), start)
})

test("the trusted time is stored now and then, not at every round", async () => {
  const readClock = started()
  for (let minute = 0; minute < 13 * 60; minute++) {
    await readClock()
    clock.advance(60)
  }
  assert.equal(writes, 3)
})
