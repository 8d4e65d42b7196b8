import assert from "node:assert/strict"
import { statSync } from "node:fs"
import { join } from "node:path"
import { describe, it } from "node:test"
import { connect, type Connection } from "../../../src/store/sqlite/engine/connection.ts"
import { FIRST_VERSION, versionOfLast } from "../../../src/store/schema-steps.ts"
import { schema } from "../../../src/store/sqlite/migrate.ts"
import { openSqlite } from "../../../src/store/sqlite/sqlite-store.ts"
import { fillOldSqlite } from "../before-squash.ts"
import { killedOnTheWay } from "../killed-migration.ts"
import { rawly, scratchDirectory, startChild } from "../scratch.ts"
import { firstSlowVersion, rowsOfAStep, slowSchema, stepTable } from "./migrations/slow-steps.ts"

const versionOf = (connection: Connection) =>
  connection.one<{ user_version: number }>("PRAGMA user_version")?.user_version ?? -1

const countOf = (connection: Connection, table: string) =>
  connection.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n

const hasTable = (connection: Connection, table: string) =>
  connection.one("SELECT 1 FROM sqlite_schema WHERE name = ?", table) !== null

/** Checks that every step up to the version is complete and that later steps have left nothing. */
function assertWhole(connection: Connection): number {
  const version = versionOf(connection)
  assert.equal(hasTable(connection, "account"), version > 0)
  for (let of = firstSlowVersion; of <= versionOfLast(slowSchema); of++) {
    assert.equal(hasTable(connection, stepTable(of)), of <= version, `step ${of} at version ${version}`)
    if (of <= version) assert.equal(countOf(connection, stepTable(of)), rowsOfAStep)
  }
  return version
}

/** With this many rows, the process can be killed in the middle. */
const COPIES = 300

function fillManyRows(file: string): number {
  fillOldSqlite(file)
  rawly(
    file,
    `WITH RECURSIVE copy (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < ${COPIES})
     INSERT INTO event_row (at, kind, detail) SELECT at, kind, hex(zeroblob(200)) FROM event_new, copy`,
  )
  const connection = connect(file)
  const count = countOf(connection, "event_row") ?? assert.fail()
  connection.close()
  return count
}

describe("migrations", () => {
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
      // All steps of a new database commit together.
      fresh: async () => {
        const file = join(scratchDirectory(t), "latchkey.db")
        await openSqlite(file).close()
        return file
      },
      last: versionOfLast(slowSchema),
      milliseconds: 2,
      look: (file) => looked(file, assertWhole),
    }))

  it("killed while a database from before the squash is carried over, that is done whole or not at all", (t) => {
    let count = 0
    return killedOnTheWay({
      name: "migrate",
      fresh: () => {
        const file = join(scratchDirectory(t), "latchkey.db")
        count = fillManyRows(file)
        return file
      },
      last: FIRST_VERSION,
      milliseconds: 2,
      look: (file) =>
        looked(file, (connection) => {
          const version = assertWhole(connection)
          assert.ok(version === schema.carryOver.from || version >= FIRST_VERSION)
          assert.equal(hasTable(connection, "old_account"), false)
          assert.equal(countOf(connection, "event_row"), count)
          return version
        }),
    })
  })

  it("processes that start together migrate once, and all begin", async (t) => {
    const file = join(scratchDirectory(t), "latchkey.db")
    const children = [1, 2, 3, 4].map(() => startChild("migrate", [file]))
    assert.deepEqual(await Promise.all(children.map((child) => child.ended())), [0, 0, 0, 0])
    const connection = connect(file)
    assert.equal(assertWhole(connection), versionOfLast(slowSchema))
    connection.close()
  })

  it("the files are their owner's alone", async (t) => {
    const file = join(scratchDirectory(t), "latchkey.db")
    const store = openSqlite(file)
    for (const suffix of ["", "-wal", "-shm"]) assert.equal(statSync(file + suffix).mode & 0o777, 0o600)
    await store.close()
  })
})

function looked(file: string, look: (connection: Connection) => number): number {
  const connection = connect(file)
  try {
    return look(connection)
  } finally {
    connection.close()
  }
}
