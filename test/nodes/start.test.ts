/** Tests how nodes start. One of them creates the tables, and all have the same secret. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { randomBytes } from "node:crypto"
import { postgresAt } from "../support/database.ts"
import { addAccount } from "../support/seed.ts"
import { freshDatabase, needsPostgres } from "../support/postgres.ts"
import { done, latchkey, newDirectory } from "../support/spawn.ts"
import { Nodes } from "./nodes.ts"

describe("Nodes that start on one database", needsPostgres, () => {
  test("SVC-1: five at once on an empty one all serve, and the tables are made once", async (t) => {
    const { url, drop } = await freshDatabase()
    const database = postgresAt(url, drop)
    const nodes = await Nodes.start(t, { count: 5, database })
    for (const node of nodes.each) assert.equal((await fetch(`${node.url}/health`)).status, 200)
    assert.equal((await database.rows("SELECT version FROM schema_version")).length, 1)
    assert.deepEqual(await done(nodes.dir, ["verify"]), [])
    // There is no account yet. Each node prints a set-up link, and each link works on every node.
    assert.ok(nodes.each.every(({ server }) => server.setupUrl !== null))
  })

  test("SVC-1: a node with another secret, or with none, does not start, says why and harms nothing", async (t) => {
    const nodes = await Nodes.start(t, { count: 1 })
    await addAccount(nodes.dir, "alice")
    const { LATCHKEY_DATABASE_URL = "" } = nodes.database.environment
    const another = { LATCHKEY_SECRET_KEY: randomBytes(32).toString("base64url") }
    for (const [secret, said] of [
      [another, /another service secret/],
      [{}, /the service secret of this database is needed/],
    ] as const) {
      const dir = newDirectory(t)
      const args = ["serve", "--data", dir, "--port", "0", "--json"]
      const other = await latchkey(args, { environment: { LATCHKEY_DATABASE_URL, ...secret } })
      assert.equal(other.code, 1)
      assert.equal(other.stdout, "")
      assert.match(other.stderr, said)
      assert.ok(!existsSync(join(dir, "secret.key")), "a secret was made that is not that of the others")
      assert.ok(!other.stderr.includes(new URL(LATCHKEY_DATABASE_URL).password))
    }
    assert.equal((await fetch(`${nodes.at(0).url}/health`)).status, 200)
  })
})
