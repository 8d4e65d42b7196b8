/** The migration that disables the service accounts of owners who were disabled before. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import * as postgres from "../../src/store/postgres/migrate.ts"
import { FIRST_VERSION } from "../../src/store/schema-steps.ts"
import { connect } from "../../src/store/sqlite/engine/connection.ts"
import * as sqlite from "../../src/store/sqlite/migrate.ts"
import type { Engine } from "../support/database.ts"
import { openConnection } from "../support/open-connection.ts"
import { needsPostgres, rowsOf } from "../support/postgres.ts"
import { oldDatabase } from "./old-database.ts"
import { rawly } from "./scratch.ts"

/** The migration makes version 32. */
const STEPS_BEFORE = 32 - FIRST_VERSION

const seed = `
INSERT INTO account (user_id, username, username_key, password_hash, admin, enabled, created_at, type, owner_id) VALUES
  ('00000000000000000000000001', 'off', 'off', '', 0, 0, 1800000000, 'person', NULL),
  ('00000000000000000000000002', 'on', 'on', '', 0, 1, 1800000000, 'person', NULL),
  ('00000000000000000000000003', 'robot of off', 'robot of off', '', 0, 1, 1800000000, 'service', '00000000000000000000000001'),
  ('00000000000000000000000004', 'robot of on', 'robot of on', '', 0, 1, 1800000000, 'service', '00000000000000000000000002'),
  ('00000000000000000000000005', 'robot of none', 'robot of none', '', 0, 1, 1800000000, 'service', NULL)`

const prepare: Readonly<Record<Engine, (place: string) => Promise<unknown>>> = {
  sqlite: async (file) => {
    const connection = connect(file)
    sqlite.migrate(connection, { ...sqlite.schema, steps: sqlite.schema.steps.slice(0, STEPS_BEFORE) })
    connection.close()
    rawly(file, seed)
  },
  postgres: async (url) => {
    const connection = await openConnection(url)
    await postgres.migrate(connection, {
      ...postgres.schema,
      steps: postgres.schema.steps.slice(0, STEPS_BEFORE),
    })
    await connection.end()
    await rowsOf(url, seed)
  },
}

for (const engine of ["sqlite", "postgres"] as const)
  describe(
    `service accounts before the upgrade, on ${engine}`,
    engine === "postgres" ? needsPostgres : {},
    () => {
      it("SERVICE-1 one whose owner was disabled before is disabled, and the audit trail says so", async (t) => {
        const database = await oldDatabase(t, engine)
        await prepare[engine](database.place)
        const store = await database.open()
        try {
          const accounts = await store.accounts({ limit: 100 }, { type: "service" })
          const states = Object.fromEntries(accounts.map(({ username, enabled }) => [username, enabled]))
          assert.deepEqual(states, { "robot of off": false, "robot of on": true, "robot of none": true })
        } finally {
          await store.close()
        }
        const events = await database.rows(
          "SELECT user_id, detail FROM event WHERE kind = 'account-disabled' AND user_id LIKE '0000000000000000000000000%'",
        )
        assert.deepEqual(
          events.map(({ user_id, detail }) => [user_id, detail]),
          [["00000000000000000000000003", "the owner was disabled"]],
        )
      })
    },
  )
