import { test } from "node:test"
import assert from "node:assert/strict"
import { lifetimeOf, waitOf } from "../../../src/platform/languages/span.rules.ts"

const HOUR = 3600
const DAY = 24 * HOUR

test("a waiting time is rounded up to minutes, and to hours above two hours", () => {
  const waits = [0, 1, 60, 61, 2 * HOUR, 2 * HOUR + 1].map((seconds) => Object.values(waitOf(seconds)))
  assert.deepEqual(waits, [
    ["minutes", 1],
    ["minutes", 1],
    ["minutes", 1],
    ["minutes", 2],
    ["minutes", 120],
    ["hours", 3],
  ])
})

test("a lifetime is rounded down in its largest unit", () => {
  const lives = [0, 119, HOUR, DAY - 1, DAY, 366 * DAY, 800 * DAY].map((s) => Object.values(lifetimeOf(s)))
  assert.deepEqual(lives, [
    ["minutes", 1],
    ["minutes", 1],
    ["hours", 1],
    ["hours", 23],
    ["days", 1],
    ["years", 1],
    ["years", 2],
  ])
})
