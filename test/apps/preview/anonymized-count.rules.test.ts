import { test } from "node:test"
import assert from "node:assert/strict"
import { anonymizedText, anonymizedCount } from "../../../src/apps/preview/anonymized-count.rules.ts"

test("no single person shows in an anonymized count", () => {
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
  for (const [count, rough] of Object.entries(counts))
    assert.equal(anonymizedText(Number(count)), rough, count)
})

test("SVC-8 a number of people is anonymized: one person more or less does not show", () => {
  const texts: readonly (readonly [number, string])[] = [
    [0, "no account"],
    [1, "fewer than 5 accounts"],
    [4, "fewer than 5 accounts"],
    [5, "about 5 accounts"],
    [9, "about 5 accounts"],
    [37, "about 35 accounts"],
    [99, "about 95 accounts"],
    [100, "about 100 accounts"],
    [1_234, "about 1,200 accounts"],
    [1_999, "about 1,900 accounts"],
    [987_654, "about 980,000 accounts"],
  ]
  for (const [count, words] of texts) assert.equal(anonymizedCount(count, "account"), words)
  assert.equal(anonymizedCount(19_876, "account", false), "more than 19,000 accounts")
})
