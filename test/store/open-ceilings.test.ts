/** The migration that lets the ceilings of self-registered apps follow `registration.permissions`. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type { Engine } from "../support/database.ts"
import { needsPostgres, rowsOf } from "../support/postgres.ts"
import { oldDatabase } from "./old-database.ts"
import { rawly } from "./scratch.ts"

const TABLE: Readonly<Record<Engine, string>> = { sqlite: "event_new", postgres: "event" }

/** Records that an administrator changed an app, as the audit trail has it. */
const changed = (engine: Engine, app: string, detail: string) =>
  `INSERT INTO ${TABLE[engine]} (at, kind, client_id, detail)
   SELECT 1800000100, 'app-changed', client_id, '${detail}' FROM client WHERE name = '${app}'`

for (const engine of ["sqlite", "postgres"] as const)
  describe(
    `self-registered apps before the upgrade, on ${engine}`,
    engine === "postgres" ? needsPostgres : {},
    () => {
      it("REG-4 a ceiling counts as set by hand only where the audit trail has a change of its permissions", async (t) => {
        const database = await oldDatabase(t, engine)
        for (const sql of [
          changed(engine, "Unused", "permissions -files:read, name"),
          changed(engine, "Paper tool", "verified = on, name"),
        ])
          if (engine === "sqlite") rawly(database.place, sql)
          else await rowsOf(database.place, sql)
        const store = await database.open()
        try {
          const clients = await store.clients({ limit: 100 }, { registeredBy: "itself" })
          const marks = Object.fromEntries(clients.map(({ name, ceilingByHand }) => [name, ceilingByHand]))
          assert.deepEqual(marks, { "Paper tool": false, Unused: true })
          assert.deepEqual(await store.verify(), [])
        } finally {
          await store.close()
        }
      })
    },
  )
