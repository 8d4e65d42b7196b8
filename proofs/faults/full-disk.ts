/**
 * The disk becomes full under load. A write gets the response "try again later", and a read succeeds. No change is left
 * incomplete. When there is room again, the service continues automatically.
 */
import assert from "node:assert/strict"
import { join } from "node:path"
import { until } from "../../test/support/until.ts"
import type { Fault, Attempted } from "./fault.ts"
import {
  fillUp,
  limitingMissing,
  mountingMissing,
  mountSmall,
  newMountPoint,
  stopGrowth,
} from "./small-disk.ts"
import { assertAway, World } from "./world.ts"

const HOLDERS = 8
const READS = 20

/** When there is room again, the service must respond within this time. */
const RECOVERY_MILLISECONDS = 3000

type Disk = { readonly dir: string; readonly full: (world: World) => () => void }

const disk: Omit<Fault, "name" | "missing" | "bringAbout"> = {
  rows: "SVC-2, CRED-1",
  engines: ["sqlite"],
  times: 12,
  slice: 1,
}

export const fullDisk: Fault = {
  ...disk,
  name: "disk full under load",
  missing: mountingMissing,
  // In `npm test`, only the other way of filling a disk is used.
  slice: 0,
  bringAbout: (run) => {
    const dir = mountSmall(run.span, 24)
    assert.ok(dir !== null)
    return fillAgainAndAgain(run, { dir: join(dir, "service"), full: () => fillUp(dir) })
  },
}

export const noGrowth: Fault = {
  ...disk,
  name: "file that may not grow under load",
  missing: limitingMissing,
  bringAbout: (run) => {
    const dir = newMountPoint(run.work, "no-growth")
    const full = ({ server }: World) => stopGrowth(server.pid, join(dir, "latchkey.db-wal"))
    return fillAgainAndAgain(run, { dir, full })
  },
}

async function fillAgainAndAgain(
  { span, choice, times, say }: Attempted,
  { dir, full }: Disk,
): Promise<number> {
  const world = await World.open(span, dir)
  const history = await world.history(HOLDERS)
  const [reader] = await world.pairs(1)
  assert.ok(reader)
  for (let round = 0; round < times; round++) {
    // A new log must grow. A log that has already grown takes many writes before the disk matters.
    await world.server.stop()
    await world.start()
    let isOver = false
    const loaded = history.load(() => isOver)
    loaded.catch(() => undefined)
    const known = history.acknowledged
    await until(() => history.acknowledged >= known + 5 + choice.below(60), "the load is on")
    const makeRoom = full(world)
    const unheard = history.unanswered
    await until(() => history.unanswered >= unheard + HOLDERS, "the disk is full")
    for (let i = 0; i < READS; i++) {
      const { status, body } = await world.introspect(reader)
      assert.deepEqual([status, body["active"]], [200, true], "who only reads is answered")
    }
    assertAway(await world.refresh(reader), "who must write")
    const heard = history.acknowledged
    makeRoom()
    const took = await until(() => history.acknowledged >= heard + HOLDERS, "it goes on by itself")
    assert.ok(took < RECOVERY_MILLISECONDS, `it went on after ${took} ms`)
    isOver = true
    await loaded
    await history.check()
    say(
      `full disk ${round + 1} of ${times}: ${history.acknowledged} acknowledged, ${history.unanswered} put off`,
    )
  }
  await world.server.stop()
  await world.verify()
  return times
}
