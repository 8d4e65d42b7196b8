import { test } from "node:test"
import assert from "node:assert/strict"
import { OutageLog } from "../../../src/platform/http/outage-log.ts"
import { recordLog } from "../../support/record-log.ts"

test("LOAD-5: while the database is unavailable, a flood of requests is logged as a count", () => {
  const { log: recorded, lines } = recordLog<{ readonly msg: string; readonly more?: number }>()
  const log = new OutageLog(recorded)
  for (let second = 0; second < 2; second++) {
    lines.length = 0
    for (let i = 0; i < 1000; i++) log.note(`r${i}`, new Error("locked"), "the database cannot answer")
    const single = lines.length
    assert.ok(single > 0 && single < 100, String(single))
    log.endSecond()
    assert.deepEqual(
      lines.slice(single).map(({ msg, more }) => [msg, more]),
      [["more requests could not be answered", 1000 - single]],
    )
  }
})
