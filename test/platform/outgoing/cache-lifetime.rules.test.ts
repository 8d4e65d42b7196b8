import { test } from "node:test"
import assert from "node:assert/strict"
import { cacheLifetime } from "../../../src/platform/outgoing/cache-lifetime.rules.ts"

const CASES: readonly (readonly [
  cacheControl: string | undefined,
  age: string | undefined,
  seconds: number | null,
])[] = [
  [undefined, undefined, null],
  ["public", undefined, null],
  ["public, max-age=3600", undefined, 3600],
  ["Max-Age=60", undefined, 60],
  ['max-age="60"', undefined, 60],
  ["max-age=60", "20", 40],
  ["max-age=60", "90", 0],
  ["max-age=60", "soon", 60],
  ["max-age=60, no-store", undefined, 0],
  ["no-cache", undefined, 0],
  ["max-age=-1", undefined, null],
  [`max-age=${"9".repeat(30)}`, undefined, null],
  ["s-maxage=60", undefined, null],
]

for (const [cacheControl, age, seconds] of CASES)
  test(`OUT-4 Cache-Control ${cacheControl} with Age ${age} allows ${seconds} seconds`, () => {
    assert.equal(cacheLifetime(cacheControl, age), seconds)
  })
