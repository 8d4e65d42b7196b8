import assert from "node:assert/strict"
import { after, before, describe, it } from "node:test"
import type { Connection } from "../../../../src/store/postgres/driver/connection.ts"
import { sqlStateOf } from "../../../../src/store/postgres/driver/postgres-error.ts"
import { openConnection } from "../../../support/open-connection.ts"
import { freshDatabase, needsPostgres } from "../../../support/postgres.ts"

describe("the statements of a connection", needsPostgres, () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let connection: Connection

  before(async () => {
    database = await freshDatabase()
    connection = await openConnection(database.url)
    await connection.script("CREATE TABLE kept (at bigint NOT NULL, note text)")
  })

  after(async () => {
    await connection.end()
    await database.drop()
  })

  const kept = async () => (await connection.query<{ at: number }>("SELECT * FROM kept ORDER BY at", [])).rows
  const keep = (at: number | null) =>
    connection.query("INSERT INTO kept (at) VALUES (?) RETURNING at AS stored, note", [at])

  it("return the same rows at each run, also of two runs that are sent at once", async () => {
    const run = (at: number) => connection.query("SELECT ?::bigint AS at, NULL AS note, true AS yes", [at])
    const [first, second] = await Promise.all([run(1), run(2)])
    const third = await run(3)
    for (const [i, { rows, written, command }] of [first, second, third].entries()) {
      assert.deepEqual(rows, [{ at: i + 1, note: null, yes: 1 }])
      assert.deepEqual([written, command], [1, "SELECT"])
    }
  })

  it("of a trip are answered one by one, and are in one transaction", async () => {
    for (const at of [1, 2]) {
      const [, added, found, ended] = await connection.together(() =>
        Promise.all([connection.query("BEGIN", []), keep(at), kept(), connection.query("ROLLBACK", [])]),
      )
      assert.deepEqual(added.rows, [{ stored: at, note: null }])
      assert.deepEqual(found, [{ at, note: null }])
      assert.equal(ended.command, "ROLLBACK")
    }
    assert.deepEqual(await kept(), [])
  })

  it("of a trip after one that fails do not run, and get its error, until the connection rolls back", async () => {
    for (let round = 0; round < 2; round++) {
      const settled = await connection.together(() =>
        Promise.allSettled([connection.query("BEGIN", []), keep(1), keep(null), kept(), connection.commit()]),
      )
      const states = settled.map((one) => (one.status === "rejected" ? sqlStateOf(one.reason) : null))
      assert.deepEqual(states, [null, null, "23502", "23502", "23502"])
      await connection.rollBack()
      assert.deepEqual(await kept(), [])
    }
  })

  it("of a trip after one that cannot be prepared are prepared later", async () => {
    const unknown = () => connection.query("SELECT * FROM nothing_of_this_name", [])
    const later = () => connection.query<{ one: number }>("SELECT 1 AS one", [])
    const settled = await connection.together(() => Promise.allSettled([unknown(), later()]))
    const states = settled.map((one) => (one.status === "rejected" ? sqlStateOf(one.reason) : null))
    assert.deepEqual(states, ["42P01", "42P01"])
    assert.deepEqual((await later()).rows, [{ one: 1 }])
  })

  it("of a trip all end when the connection is lost", async () => {
    const lost = await openConnection(database.url)
    const sent = lost.together(() =>
      Promise.allSettled([lost.query("BEGIN", []), lost.query("SELECT pg_sleep(60)", []), lost.commit()]),
    )
    lost.destroy(new Error("lost"))
    for (const { status } of await sent) assert.equal(status, "rejected")
    await assert.rejects(lost.query("SELECT 1", []))
  })
})
