import assert from "node:assert/strict"
import { statSync } from "node:fs"
import { join } from "node:path"
import { describe, it } from "node:test"
import { connect, type Connection } from "../../src/store/sqlite/engine/connection.ts"
import { migrate, migrations } from "../../src/store/sqlite/migrate.ts"
import { openSqlite } from "../../src/store/sqlite/sqlite-store.ts"
import { killedOnTheWay } from "./killed-migration.ts"
import { rawly, scratchDirectory, startChild } from "./scratch.ts"
import { rowsOfAStep, slowSteps, stepTable } from "./slow-steps.ts"

const versionOf = (connection: Connection) =>
  connection.one<{ user_version: number }>("PRAGMA user_version")?.user_version ?? -1
const schemaOf = (connection: Connection) =>
  connection.all<{ sql: string }>("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")

/** Every step up to the version is there whole, and nothing of a later one is. */
function assertWhole(connection: Connection): number {
  const version = versionOf(connection)
  for (let of = migrations.length + 1; of <= slowSteps.length; of++) {
    const there = connection.one("SELECT 1 FROM sqlite_schema WHERE name = ?", stepTable(of)) !== null
    assert.equal(there, of <= version, `step ${of} at version ${version}`)
    if (!there) continue
    const rows = connection.one<{ n: number }>(`SELECT count(*) AS n FROM ${stepTable(of)}`)
    assert.equal(rows?.n, rowsOfAStep)
  }
  return version
}

describe("migrations", () => {
  it("a database of every earlier version comes to this one, with what it held", (t) => {
    const dir = scratchDirectory(t)
    const fresh = connect(join(dir, "fresh.db"))
    migrate(fresh)
    for (let version = 0; version <= migrations.length; version++) {
      const connection = connect(join(dir, `${version}.db`))
      migrate(connection, migrations.slice(0, version))
      if (version > 0) connection.run("INSERT INTO setting (key, value) VALUES ('kept', 'as it was')")
      migrate(connection)
      assert.deepEqual(schemaOf(connection), schemaOf(fresh))
      assert.equal(versionOf(connection), migrations.length)
      const kept = connection.one<{ value: string }>("SELECT value FROM setting WHERE key = 'kept'")
      assert.equal(kept?.value, version > 0 ? "as it was" : undefined)
      connection.close()
    }
    fresh.close()
  })

  it("a database of a newer version is refused with a sentence, and left alone", (t) => {
    const file = join(scratchDirectory(t), "latchkey.db")
    rawly(file, "PRAGMA user_version = 99")
    assert.throws(() => openSqlite(file), /schema version 99.*newer version/)
    const connection = connect(file)
    assert.equal(versionOf(connection), 99)
    connection.close()
  })

  it("killed at any moment, a migration is done whole or not at all", (t) =>
    killedOnTheWay({
      name: "migrate",
      fresh: () => join(scratchDirectory(t), "latchkey.db"),
      steps: slowSteps.length,
      milliseconds: 2,
      look: (file) => {
        const connection = connect(file)
        try {
          return assertWhole(connection)
        } finally {
          connection.close()
        }
      },
    }))

  it("processes that start together migrate once, and all begin", async (t) => {
    const file = join(scratchDirectory(t), "latchkey.db")
    const children = [1, 2, 3, 4].map(() => startChild("migrate", [file]))
    assert.deepEqual(await Promise.all(children.map((child) => child.ended())), [0, 0, 0, 0])
    const connection = connect(file)
    assert.equal(assertWhole(connection), slowSteps.length)
    connection.close()
  })

  it("the files are their owner's alone", async (t) => {
    const file = join(scratchDirectory(t), "latchkey.db")
    const store = openSqlite(file)
    for (const suffix of ["", "-wal", "-shm"]) assert.equal(statSync(file + suffix).mode & 0o777, 0o600)
    await store.close()
  })
})
