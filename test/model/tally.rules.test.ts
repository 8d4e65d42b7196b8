import { test } from "node:test"
import assert from "node:assert/strict"
import { bucketAt, type Grain, grains } from "../../src/model/tally.rules.ts"

test("buckets are minutes, hours and days of UTC", () => {
  assert.deepEqual(grains, { minute: 60, hour: 3600, day: 86_400 })
  const now = Date.UTC(2026, 4, 17, 13, 45, 59) / 1000
  assert.equal(bucketAt("minute", now), Date.UTC(2026, 4, 17, 13, 45) / 1000)
  assert.equal(bucketAt("hour", now), Date.UTC(2026, 4, 17, 13) / 1000)
  assert.equal(bucketAt("day", now), Date.UTC(2026, 4, 17) / 1000)
})

test("a bucket begins with its first second and ends with its last", () => {
  for (const grain of Object.keys(grains) as Grain[]) {
    const start = 86_400 * 20_000
    assert.equal(bucketAt(grain, start), start)
    assert.equal(bucketAt(grain, start + grains[grain] - 1), start)
    assert.equal(bucketAt(grain, start + grains[grain]), start + grains[grain])
    assert.equal(bucketAt(grain, start - 1), start - grains[grain])
  }
})
