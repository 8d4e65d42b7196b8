import { test } from "node:test"
import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { sealedNames, sealedThings, storedKey } from "../../src/model/sealed.rules.ts"
import { openSqlite } from "../../src/store/sqlite/sqlite-store.ts"
import { scratchDirectory } from "../store/scratch.ts"

test("SECRET-3 the table has every sealed column of the schema", async (t) => {
  const file = join(scratchDirectory(t), "latchkey.db")
  await openSqlite(file).close()
  const database = new DatabaseSync(file, { readOnly: true })
  t.after(() => database.close())
  const columns = database
    .prepare(
      `SELECT tables.name AS "table", columns.name AS "column" FROM sqlite_schema AS tables
       JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table' AND columns.name LIKE 'sealed%'`,
    )
    .all()
    .map(({ table, column }) => `${String(table)}.${String(column)}`)
  const listed = sealedNames.map((thing) => `${sealedThings[thing].table}.${sealedThings[thing].column}`)
  assert.deepEqual(columns.toSorted(), listed.toSorted())
})

test("SECRET-3 a key is bound into a seal as text, and stored as the table says", () => {
  assert.equal(storedKey("importKey", "12"), 12)
  assert.equal(storedKey("totp", "12"), "12")
  assert.notEqual(sealedThings.totp.purpose("a"), sealedThings.totp.purpose("b"))
})
