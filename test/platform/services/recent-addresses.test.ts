import { test } from "node:test"
import assert from "node:assert/strict"
import { RecentAddresses } from "../../../src/platform/services/recent-addresses.ts"

test("METRICS-3 each address counts once, for ten minutes from the last time, and the memory is bounded", () => {
  let now = 0
  const recent = new RecentAddresses({ monotonic: () => now }, 3)
  for (const address of ["a", "b", "a"]) recent.note(address)
  assert.equal(recent.count(), 2)
  now = 400_000
  recent.note("a")
  now = 600_000
  assert.equal(recent.count(), 1)
  now = 1_000_000
  assert.equal(recent.count(), 0)
  for (let i = 0; i < 10; i++) recent.note(`address ${i}`)
  assert.equal(recent.count(), 3)
})
