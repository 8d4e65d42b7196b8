/**
 * Runs a small part of `npm run prove -- --only pressure`. Responses must be right, and none may be lost. Times are not
 * judged.
 */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { needsPostgres } from "../test/support/postgres.ts"
import { pressure } from "./pressure/pressure.ts"
import { slice } from "./slice.ts"

for (const engine of pressure.engines)
  describe(engine, engine === "postgres" ? needsPostgres : {}, () => {
    test("LOAD-1, LOAD-2, LOAD-3, LOAD-4, LOAD-5: under every kind of pressure no acknowledged answer is lost", async (t) => {
      const figures = await pressure.prove(slice(t, engine, 0.02))
      assert.ok(Number(figures["one byte a chunk: bodies"]) > 0, JSON.stringify(figures))
      assert.ok(Number(figures["answers not read: requests"]) >= 400, JSON.stringify(figures))
      assert.ok(Number(figures["device grants: grants stored"]) >= 400, JSON.stringify(figures))
    })
  })
