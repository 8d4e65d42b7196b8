/** Looks for oracles for a short time. `npm run prove -- --only oracles` runs long enough to see a few microseconds. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { oracles } from "./oracles/oracles.ts"
import { compare } from "./oracles/statistic.ts"

test("sign-in, client authentication, revocation, user codes and icons tell a stranger nothing", async (t) => {
  const say = (line: string) => t.diagnostic(line)
  const figures = await oracles.prove({ seed: 1, scale: 0.04, engine: "sqlite", work: "", say })
  assert.ok(Number(figures["answers"]) > 1000)
})

test("two lists of one source do not differ, and a shift of a tenth of the spread does", () => {
  const list = (shift: number, step: number) =>
    Array.from({ length: 5000 }, (_, i) => ((i * step) % 5000) + shift)
  assert.ok(Math.abs(compare(list(0, 7), list(0, 11)).z) < 1)
  assert.ok(compare(list(0, 7), list(500, 11)).z > 10)
  assert.equal(compare(list(0, 7), list(500, 11)).medianDifference, 500)
})
