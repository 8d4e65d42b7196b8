/** A database of version 6, with every state of a credential, as the service wrote it then (commit be554c7). */
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, it } from "node:test"
import {
  type Credential,
  type Family,
  type Life,
  NO_REPEATS,
  type Retired,
} from "../../src/records/credential.rules.ts"
import type { Value } from "../../src/store/codecs/value.ts"
import { connect, type Connection } from "../../src/store/sqlite/engine/connection.ts"
import { migrate, migrations } from "../../src/store/sqlite/migrate.ts"
import { homeOf } from "../../src/store/sqlite/statements/place.ts"
import { openSqlite } from "../../src/store/sqlite/sqlite-store.ts"
import { asKept } from "./samples.ts"
import { migrateAndKill } from "./killed-migration.ts"
import { scratchDirectory } from "./scratch.ts"

type Row = Readonly<Record<string, Value>>
type Written = {
  readonly rows: Readonly<Record<"account" | "client" | "credential", readonly Row[]>>
  readonly credentials: readonly Credential[]
}

const written = JSON.parse(readFileSync(join(import.meta.dirname, "version-6.json"), "utf8")) as Written

function fillVersion6(file: string): Connection {
  const connection = connect(file)
  migrate(connection, migrations.slice(0, 6))
  for (const [table, rows] of Object.entries(written.rows)) {
    for (const row of rows) {
      const columns = Object.keys(row)
      const sql = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`
      connection.run(sql, ...Object.values(row))
    }
  }
  return connection
}

const COPIES = 300

/** Enough rows to be killed in the middle of. */
function copyOften(connection: Connection): string {
  const columns = connection
    .all<{ name: string }>("SELECT name FROM pragma_table_info('credential')")
    .map(({ name }) => name)
    .filter((name) => name !== "id" && name !== "token_id")
    .join(", ")
  return `
    WITH RECURSIVE copy (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < ${COPIES})
    INSERT INTO credential (token_id, ${columns})
    SELECT printf('%010d%016d', n, id), ${columns} FROM credential, copy`
}

/** As version 7 keeps it: a redeemed code is its digest, and tokens that were over at the last rotation are gone. */
function expected(credential: Credential): Credential {
  const { life } = credential
  if (life.state === "issued" || life.family === null) return asKept(credential)
  return asKept({ ...credential, life: { ...life, family: withLiving(life.family) } as Life })
}

function withLiving(family: Family): Family {
  return {
    ...family,
    retired: family.retired === null ? null : withoutNonce(family.retired),
    repeats: NO_REPEATS,
    accessTokens: family.accessTokens.filter((token) => token.expiresAt > family.rotatedAt),
  }
}

function withoutNonce({ hash, answeredScope }: Retired): Retired {
  return { hash, answeredScope }
}

describe("a database of version 6", () => {
  it("GRANT CRED CODE comes over with every credential as it was, and without a problem", async (t) => {
    const file = join(scratchDirectory(t), "latchkey.db")
    fillVersion6(file).close()
    const store = openSqlite(file)
    t.after(() => store.close())
    assert.deepEqual(await store.verify(), [])
    for (const credential of written.credentials) {
      const { tokenId, clientId } = credential.consent
      const found = await store.read({ credential: tokenId, appOf: tokenId, client: clientId })
      assert.deepEqual(found.credential, expected(credential))
      assert.deepEqual(found.appOf, found.client)
    }
    const listed = await store.credentials({}, { limit: 1000 })
    assert.deepEqual(
      listed.map(({ credential }) => credential.consent.tokenId),
      written.credentials.map(({ consent }) => consent.tokenId).sort(),
    )
    assert.deepEqual(new Set(written.credentials.map(({ life }) => life.state)).size, 4)
  })

  it("rows of one moment lie beside each other, and are found by their identifiers", (t) => {
    const connection = fillVersion6(join(scratchDirectory(t), "latchkey.db"))
    migrate(connection)
    const aside = connection.all<{ id: number; token_id: string }>(
      "SELECT id, token_id FROM credential_aside",
    )
    assert.ok(aside.length > 0)
    for (const { id, token_id: tokenId } of aside) assert.ok(id !== homeOf(tokenId))
    const scopes = connection.all<{ type: string }>(
      "SELECT DISTINCT typeof(scope) AS type FROM credential_row ORDER BY 1",
    )
    assert.deepEqual(
      scopes.map(({ type }) => type),
      ["integer", "text"],
    )
    connection.close()
  })

  it("killed while it comes over, it is of version 6 whole, or of the next", async (t) => {
    let kills = 0
    // A quick machine, or one that stands still for a moment, lets some through before they are killed.
    for (let tries = 0; tries < 5 || kills === 0; tries++) {
      assert.ok(tries < 50, "nothing was killed")
      const file = join(scratchDirectory(t), `${tries}.db`)
      const before = fillVersion6(file)
      before.run(copyOften(before))
      before.close()
      if (await migrateAndKill("migrate", file, 60 * (tries % 5))) kills++
      const connection = connect(file)
      const version = connection.one<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0
      const table = version < 7 ? "credential" : "credential_row"
      const { count } = connection.one<{ count: number }>(`SELECT count(*) AS count FROM ${table}`) ?? {
        count: 0,
      }
      assert.equal(count, written.credentials.length * (COPIES + 1), `version ${version}`)
      connection.close()
    }
  })
})
