/** A few kills of the many of `npm run prove -- --only kill`. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { needsPostgres } from "../support/postgres.ts"
import { kill } from "./kill/kill.ts"
import { slice } from "./slice.ts"

for (const engine of kill.engines)
  describe(engine, engine === "postgres" ? needsPostgres : {}, () => {
    test("CRED-1, CRED-3, CODE-1, CODE-3, SVC-2: killed under everything at once, the service has lost nothing that it answered", async (t) => {
      const figures = await kill.prove(slice(t, engine, 0.002))
      assert.ok(Number(figures["kills"]) >= 3, JSON.stringify(figures))
      assert.ok(Number(figures["acknowledged answers"]) > 0, JSON.stringify(figures))
    })
  })
