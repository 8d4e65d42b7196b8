/** A database of each version since the migrations were merged arrives at the schema of a new one, with its rows. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { openConnection } from "../support/open-connection.ts"
import * as postgres from "../../src/store/postgres/migrate.ts"
import { FIRST_VERSION, type Schema, versionOfLast } from "../../src/store/schema-steps.ts"
import { connect } from "../../src/store/sqlite/engine/connection.ts"
import * as sqlite from "../../src/store/sqlite/migrate.ts"
import type { Engine } from "../support/database.ts"
import { needsPostgres } from "../support/postgres.ts"
import { contentOf, freshSchema, oldDatabase, oldPart, schemaOf } from "./old-database.ts"

/** Returns the schema as it was at an earlier version. */
function until<Step>(version: number, schema: Schema<Step>): Schema<Step> {
  return { ...schema, steps: schema.steps.slice(0, version - FIRST_VERSION + 1) }
}

const migrate: Readonly<Record<Engine, (place: string, version: number) => Promise<void>>> = {
  sqlite: async (file, version) => {
    const connection = connect(file)
    sqlite.migrate(connection, until(version, sqlite.schema))
    connection.close()
  },
  postgres: async (url, version) => {
    const connection = await openConnection(url)
    await postgres.migrate(connection, until(version, postgres.schema))
    await connection.end()
  },
}

const versions = Array.from(
  { length: versionOfLast(sqlite.schema) - FIRST_VERSION },
  (_, earlier) => FIRST_VERSION + earlier,
)

it("both engines have the same versions", () => {
  assert.equal(versionOfLast(postgres.schema), versionOfLast(sqlite.schema))
})

for (const engine of ["sqlite", "postgres"] as const)
  describe(
    `a database of an earlier version, on ${engine}`,
    engine === "postgres" ? needsPostgres : {},
    () => {
      for (const version of versions)
        it(`SVC-2 version ${version} gets the schema of a new one, and keeps every row`, async (t) => {
          const database = await oldDatabase(t, engine)
          await migrate[engine](database.place, version)
          const before = await contentOf(database)
          assert.ok((before["account"] ?? []).length > 0)
          const store = await database.open()
          assert.deepEqual(await store.verify(), [])
          await store.close()
          assert.deepEqual(oldPart(await contentOf(database), before), oldPart(before, before))
          assert.deepEqual(await schemaOf(database), await freshSchema(t, engine))
        })
    },
  )
