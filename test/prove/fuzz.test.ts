import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { needsPostgres } from "../support/postgres.ts"
import { newDirectory } from "../support/spawn.ts"
import { fuzz } from "./fuzz/fuzz.ts"

describe("ERR-4: a part of the proof that no input does harm", () => {
  for (const engine of fuzz.engines)
    test(engine, engine === "postgres" ? needsPostgres : {}, async (t) => {
      const figures = await fuzz.prove({
        seed: 20_261_122,
        scale: 0.0015,
        engine,
        work: newDirectory(t),
        say: (line) => t.diagnostic(line),
      })
      assert.ok(Number(figures["answers"]) > 1200, JSON.stringify(figures))
      assert.ok(Number(figures["answers 429"]) > 0, JSON.stringify(figures))
      assert.equal(figures["grants that outlived what was tried on them"], 3)
    })
})
