import { test } from "node:test"
import assert from "node:assert/strict"
import { OutageLog } from "../../../src/platform/http/outage-log.ts"
import { StoreUnavailable } from "../../../src/store/unavailable.ts"
import { recordLog } from "../../support/record-log.ts"

type Line = { readonly msg: string; readonly more?: number; readonly unanswered?: number }

test("LOAD-5: while the database is unavailable, a flood of requests is logged as a count", async () => {
  const { log: recorded, lines } = recordLog<Line>()
  const log = new OutageLog(recorded, () => Promise.resolve(false))
  for (let second = 0; second < 2; second++) {
    lines.length = 0
    for (let i = 0; i < 1000; i++)
      log.note(`r${i}`, new StoreUnavailable("locked"), "the database cannot answer")
    const single = lines.length
    assert.ok(single > 0 && single < 100, String(single))
    await log.endSecond()
    assert.deepEqual(
      lines.slice(single).map(({ msg, more }) => [msg, more]),
      [["more requests could not be answered", 1000 - single]],
    )
  }
})

test("LOG-1: the end of an outage is logged once, after a second without a failure, when the database answers", async () => {
  const { log: recorded, lines } = recordLog<Line>()
  let isBack = false
  const log = new OutageLog(recorded, () => Promise.resolve(isBack))
  const said = () => lines.filter(({ msg }) => msg === "the database answers again").length
  for (let outage = 1; outage < 3; outage++) {
    isBack = false
    log.note("r1", new StoreUnavailable("away"), "the database cannot answer")
    log.note("r2", new StoreUnavailable("away"), "the database cannot answer")
    await log.endSecond()
    await log.endSecond()
    assert.equal(said(), outage - 1)
    isBack = true
    await log.endSecond()
    await log.endSecond()
    assert.equal(said(), outage)
    assert.equal(lines.at(-1)?.unanswered, 2)
  }
})

test("LOG-1: a failure that is not of the database has no such end", async () => {
  const { log: recorded, lines } = recordLog<Line>()
  const log = new OutageLog(recorded, () => Promise.resolve(true))
  log.note("r1", new Error("no file"), "no file descriptor is left")
  await log.endSecond()
  await log.endSecond()
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ["no file descriptor is left"],
  )
})
