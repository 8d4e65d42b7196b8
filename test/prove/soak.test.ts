/** A few seconds of what `npm run prove -- --only soak` does for an hour. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { soak } from "./soak/soak.ts"
import { slopeOf } from "./soak/trend.ts"
import { slice } from "./slice.ts"

test("SVC-1: a few seconds of everything at once stay below 256 MB, and rows past their time go by themselves", async (t) => {
  const figures = await soak.prove(slice(t, "sqlite", 0.001))
  assert.ok(Number(figures["requests"]) > 100, JSON.stringify(figures))
})

test("the line through samples is not drawn away by a few that are far off", () => {
  const samples = Array.from({ length: 100 }, (_, at) => ({ at, value: at % 17 === 0 ? 1000 : 3 * at + 1 }))
  assert.ok(Math.abs(slopeOf(samples) - 3) < 0.5, String(slopeOf(samples)))
})
