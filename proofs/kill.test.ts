/** Runs a few of the many kills of `npm run prove -- --only kill`. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { needsPostgres } from "../test/support/postgres.ts"
import { kill } from "./kill/kill.ts"
import { reasonsOf } from "./mixed/unavailable.ts"
import { slice } from "./slice.ts"

for (const engine of kill.engines)
  describe(engine, engine === "postgres" ? needsPostgres : {}, () => {
    test("CRED-1, CRED-3, CODE-1, CODE-3, SVC-2: killed under everything at once, the service has lost nothing that it answered", async (t) => {
      const figures = await kill.prove(slice(t, engine, 0.002))
      assert.ok(Number(figures["kills"]) >= 3, JSON.stringify(figures))
      assert.ok(Number(figures["acknowledged answers"]) > 0, JSON.stringify(figures))
    })
  })

describe("a 503 of the database", () => {
  const at = Date.UTC(2026, 0, 1)
  const line = (requestId: string, late: number) =>
    JSON.stringify({
      time: new Date(at + late).toISOString(),
      msg: "the database cannot answer",
      request_id: requestId,
      err: { message: "the database has no time" },
    })
  const world = (lines: readonly string[], heard: readonly string[] = []) => ({
    fleet: {
      members: [{ logs: lines.join("\n") }],
      probe: { slow: [{ from: at - 90_000, to: at - 80_000 }] },
    },
    busy: heard.map((requestId) => ({ requestId, at, deed: "refresh" })),
    disturbed: [{ from: at - 1000, to: at + 1000 }],
  })

  test("is counted by its reason while something stated goes on, or the machine has no time", () => {
    const found = reasonsOf(world([line("a", 0), line("b", 500), line("c", -85_000), '{"cut'], ["a", "d"]))
    assert.deepEqual(
      [...found],
      [
        ["the database has no time", 3],
        ["not in the log: its server was killed", 1],
      ],
    )
  })

  test("breaks the promise at any other time, whether a client received it or not", () => {
    assert.throws(
      () => reasonsOf(world([line("a", 30_000)])),
      /nothing explains.*\n.*the database has no time/,
    )
    assert.throws(() => reasonsOf({ ...world([], ["a"]), disturbed: [] }), /nothing explains/)
  })
})
