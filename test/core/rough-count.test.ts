import { test } from "node:test"
import assert from "node:assert/strict"
import { roughCount, roughly } from "../../src/core/rough-count.ts"

test("nobody in particular shows in a rough count", () => {
  const counts: Readonly<Record<number, number>> = {
    0: 0,
    1: 1,
    4: 1,
    5: 5,
    9: 5,
    34: 30,
    99: 95,
    100: 100,
    129: 120,
    1_999: 1_900,
  }
  for (const [count, rough] of Object.entries(counts)) assert.equal(roughCount(Number(count)), rough, count)
  assert.equal(roughly(0, "account"), "no account")
  assert.equal(roughly(1, "account"), roughly(4, "account"))
  assert.equal(roughly(1_999, "account"), "about 1,900 accounts")
})
