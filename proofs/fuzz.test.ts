import assert from "node:assert/strict"
import { test } from "node:test"
import { newDirectory } from "../test/support/spawn.ts"
import { fuzz } from "./fuzz/fuzz.ts"

test("ERR-4, JWT-4, JWT-6, JWT-7: a part of the proof that no input does harm", async (t) => {
  const figures = await fuzz.prove({
    seed: 20_261_122,
    scale: 0.0015,
    engine: "sqlite",
    work: newDirectory(t),
    say: (line) => t.diagnostic(line),
  })
  assert.ok(Number(figures["answers"]) > 1200, JSON.stringify(figures))
  assert.ok(Number(figures["answers 429"]) > 0, JSON.stringify(figures))
  assert.equal(figures["grants that outlived what was tried on them"], 4)
})
