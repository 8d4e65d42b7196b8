/** Rows that hold a nonce, from the version before, are brought to this one without it: CRED-6. */
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, it } from "node:test"
import type { Credential } from "../../src/records/credential.rules.ts"
import { openConnection } from "../../src/store/postgres/open-database.ts"
import {
  migrate as migratePostgres,
  migrations as postgresMigrations,
} from "../../src/store/postgres/migrate.ts"
import { openPostgres } from "../../src/store/postgres/postgres-store.ts"
import { credentialColumnList, credentialValues } from "../../src/store/codecs/credential-row.ts"
import { connect } from "../../src/store/sqlite/engine/connection.ts"
import { insertCredential } from "../../src/store/sqlite/statements/credential-table.ts"
import { migrate, migrations } from "../../src/store/sqlite/migrate.ts"
import { openSqlite } from "../../src/store/sqlite/sqlite-store.ts"
import type { Store } from "../../src/store/store.ts"
import { freshDatabase, needsPostgres, rowsOf } from "../support/postgres.ts"
import { nonceBytes, nonces, withNonce } from "./nonces.ts"
import { active, asKept, family, hash, issued, NOW } from "./samples.ts"
import { scratchDirectory } from "./scratch.ts"

/** One of each key length, once refreshed, and others that have no nonce. */
const rows: readonly { readonly credential: Credential; readonly nonce: string | null }[] = [
  ...[22, 43].flatMap((keyLength, i) =>
    nonces.map((nonce, j) => ({ credential: refreshed(10 + 2 * i + j, "k".repeat(keyLength)), nonce })),
  ),
  { credential: active(1), nonce: null },
  { credential: issued(2), nonce: null },
]

function refreshed(number: number, key: string): Credential {
  const { consent, code } = issued(number)
  const retired = { hash: hash("retired"), answeredScope: consent.scope }
  const retirements = [{ generation: 1, at: NOW }]
  const of = family({ generation: 2, retired, retirements, key, rotatedAt: NOW })
  return asKept({ consent, code, life: { state: "active", family: of, elevatedUntil: null } })
}

function keyLengthOf({ life }: Credential): number {
  return life.state === "active" ? life.family.key.length : 0
}

async function assertReadable(store: Store): Promise<void> {
  for (const { credential } of rows) {
    const found = await store.read({ credential: credential.consent.tokenId })
    assert.deepEqual(found.credential, credential)
  }
}

describe("rows of the version before", () => {
  it("CRED-6 on SQLite: read as they were, and no nonce is left in the file", async (t) => {
    const file = join(scratchDirectory(t), "latchkey.db")
    const connection = connect(file)
    migrate(connection, migrations.slice(0, 8))
    connection.transaction(() => {
      for (const { credential, nonce } of rows) {
        insertCredential(connection, credential)
        if (nonce === null) continue
        const { tokenId } = credential.consent
        const sql = "SELECT family FROM credential_row WHERE token_id = ?"
        const packed = connection.one<{ family: Uint8Array }>(sql, tokenId)?.family ?? assert.fail()
        const old = withNonce(packed, nonce, keyLengthOf(credential))
        connection.run("UPDATE credential_row SET family = ? WHERE token_id = ?", old, tokenId)
      }
    })
    connection.close()
    for (const nonce of nonces) assert.ok(readFileSync(file).includes(nonceBytes(nonce)))
    const store = openSqlite(file)
    await assertReadable(store)
    await store.close()
    for (const nonce of nonces) assert.ok(!readFileSync(file).includes(nonceBytes(nonce)))
  })

  it("CRED-6 on PostgreSQL: read as they were, and no row holds a nonce", needsPostgres, async (t) => {
    const { url, drop } = await freshDatabase()
    t.after(drop)
    const connection = await openConnection(url)
    await migratePostgres(connection, postgresMigrations.slice(0, 1))
    for (const { credential, nonce } of rows) {
      const values = credentialValues(credential).map((value, i) =>
        credentialColumnList[i] === "family" && nonce !== null
          ? withNonce(value as Uint8Array, nonce, keyLengthOf(credential))
          : value,
      )
      const places = values.map(() => "?").join(", ")
      await connection.query(
        `INSERT INTO credential (${credentialColumnList.join(", ")}) VALUES (${places})`,
        values,
      )
    }
    await connection.end()
    const held = async () => {
      const found = await rowsOf(url, "SELECT family FROM credential WHERE family IS NOT NULL")
      return Buffer.concat(found.map((row) => row["family"] as Buffer))
    }
    for (const nonce of nonces) assert.ok((await held()).includes(nonceBytes(nonce)))
    const store = await openPostgres(url, { poolSize: 2 })
    await assertReadable(store)
    await store.close()
    for (const nonce of nonces) assert.ok(!(await held()).includes(nonceBytes(nonce)))
  })
})
