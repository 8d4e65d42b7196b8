import assert from "node:assert/strict"
import { describe, it, type TestContext } from "node:test"
import { FIRST_VERSION, versionOfLast } from "../../../src/store/schema-steps.ts"
import { schema } from "../../../src/store/postgres/migrate.ts"
import { parseAddress } from "../../../src/store/postgres/driver/address.ts"
import { openPostgres } from "../../../src/store/postgres/postgres-store.ts"
import { StoreUnavailable } from "../../../src/store/unavailable.ts"
import { freshDatabase, needsPostgres, rowsOf, startPostgres } from "../../support/postgres.ts"
import { until } from "../../support/until.ts"
import { fillOldPostgres } from "../before-squash.ts"
import { killedOnTheWay } from "../killed-migration.ts"
import { startChild } from "../scratch.ts"
import { firstSlowVersion, rowsOfAStep, slowSchema, stepTable } from "./migrations/slow-steps.ts"

/**
 * Finds sessions that the server still serves. It finishes the statement of a killed process, which may be a commit.
 */
const OTHERS = `SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`

async function emptyDatabase(t: TestContext): Promise<string> {
  const { url, drop } = await freshDatabase()
  t.after(drop)
  return url
}

async function versionOf(url: string): Promise<number> {
  const there = await rowsOf(url, "SELECT 1 FROM pg_tables WHERE tablename = 'schema_version'")
  if (there.length === 0) return 0
  const [row] = await rowsOf(url, "SELECT version FROM schema_version")
  return Number(row?.["version"])
}

/** Checks that every step up to the version is complete and that later steps have left nothing. */
async function assertWhole(url: string): Promise<number> {
  const version = await versionOf(url)
  for (let of = firstSlowVersion; of <= versionOfLast(slowSchema); of++) {
    const there = await rowsOf(url, `SELECT 1 FROM pg_tables WHERE tablename = '${stepTable(of)}'`)
    assert.equal(there.length === 1, of <= version, `step ${of} at version ${version}`)
    if (there.length === 0) continue
    const [counted] = await rowsOf(url, `SELECT count(*)::integer AS n FROM ${stepTable(of)}`)
    assert.equal(counted?.["n"], rowsOfAStep)
  }
  return version
}

describe("migrations on PostgreSQL", needsPostgres, () => {
  const settled = async (url: string) => {
    await until(async () => (await rowsOf(url, OTHERS)).length === 0, "the server knows that it is gone")
    return assertWhole(url)
  }

  it("killed at any moment, a migration is done whole or not at all", (t) =>
    killedOnTheWay({
      name: "migrate-postgres",
      // All steps of a new database commit together.
      fresh: async () => {
        const url = await emptyDatabase(t)
        await (await openPostgres(url)).close()
        return url
      },
      last: versionOfLast(slowSchema),
      milliseconds: 20,
      look: settled,
    }))

  it("killed while a database from before the squash is carried over, that is done whole or not at all", (t) =>
    killedOnTheWay({
      name: "migrate-postgres",
      fresh: async () => {
        const url = await emptyDatabase(t)
        await fillOldPostgres(url)
        return url
      },
      last: FIRST_VERSION,
      milliseconds: 5,
      look: async (url) => {
        const version = await settled(url)
        assert.ok(version === schema.carryOver.from || version >= FIRST_VERSION)
        const checks = await rowsOf(
          url,
          "SELECT 1 FROM pg_constraint WHERE conrelid = 'tally'::regclass AND contype = 'c'",
        )
        assert.equal(checks.length, version < FIRST_VERSION ? 0 : 3)
        return version
      },
    }))

  it("ten nodes that start together migrate once, and all begin", async (t) => {
    const url = await emptyDatabase(t)
    const children = Array.from({ length: 10 }, () => startChild("migrate-postgres", [url]))
    const ends = await Promise.all(children.map((child) => child.ended()))
    assert.deepEqual(
      ends,
      Array.from({ length: 10 }, () => 0),
    )
    assert.equal(await assertWhole(url), versionOfLast(slowSchema))
  })

  it("a database of a newer version is refused with a sentence, and left alone", async (t) => {
    const url = await emptyDatabase(t)
    await rowsOf(url, "CREATE TABLE schema_version (version integer NOT NULL)")
    await rowsOf(url, "INSERT INTO schema_version VALUES (99)")
    await assert.rejects(openPostgres(url), /schema version 99.*newer version/)
    assert.equal(await versionOf(url), 99)
  })

  it("what keeps it from starting is said, and no password with it", async (t) => {
    const url = await emptyDatabase(t)
    const at = (change: (of: URL) => void) => {
      const other = new URL(url)
      change(other)
      return other.href
    }
    const refused = async (address: string, said: RegExp) => {
      await assert.rejects(openPostgres(address), (error: Error) => {
        assert.match(error.message, said)
        assert.doesNotMatch(error.message, /s3cret/)
        return true
      })
    }
    await refused(
      at((of) => (of.pathname = "/nothing_here")),
      /there is no database nothing_here at .*createdb/,
    )
    const unreachable = at((of) => {
      of.password = "s3cret"
      of.port = "1"
    })
    await refused(unreachable, /the PostgreSQL server cannot be reached for .*:1 \(.*ECONNREFUSED/)
    await assert.rejects(openPostgres(unreachable), StoreUnavailable)
    await refused("postgres://me:s3#cret@db.example/x", /the database URL is not understood/i)
  })

  it("a role that may not make tables, and a wrong password, are reported", async (t) => {
    // The test starts its own server, because it needs one that asks for passwords.
    const server = await startPostgres(t)
    await rowsOf(server.url(), "CREATE ROLE reader LOGIN PASSWORD 's3cret'")
    const reader = new URL(server.url())
    reader.username = "reader"
    reader.password = "s3cret"
    await assert.rejects(openPostgres(reader.href), /lacks privileges/)
    reader.password = "s3cret?"
    await assert.rejects(openPostgres(reader.href), (error: Error) => {
      assert.match(error.message, /user name or the password is wrong/)
      assert.doesNotMatch(String(error.stack), /s3cret/)
      return true
    })
  })

  it("MSG-1 tables of another program, a missing schema and tables of another owner are said in our words", async (t) => {
    const other = await emptyDatabase(t)
    await rowsOf(other, "CREATE TABLE account (x integer)")
    await assert.rejects(openPostgres(other), /^Error: another program has tables in \S+ at /)
    const bare = await emptyDatabase(t)
    await rowsOf(bare, "DROP SCHEMA public")
    await assert.rejects(openPostgres(bare), /^Error: there is no schema for new tables in /)

    const server = await startPostgres(t)
    await (await openPostgres(server.url())).close()
    await rowsOf(server.url(), "CREATE ROLE latchkey LOGIN PASSWORD 's3cret'")
    const restored = new URL(server.url())
    const owner = restored.username
    restored.username = "latchkey"
    restored.password = "s3cret"
    const said = new RegExp(
      `the tables in .* belong to ${owner}, and the database URL names latchkey: restore as`,
    )
    await assert.rejects(openPostgres(restored.href), said)
    await rowsOf(server.url(), "GRANT SELECT ON ALL TABLES IN SCHEMA public TO latchkey")
    await assert.rejects(openPostgres(restored.href), said)
  })

  it("MSG-1 sslmode=require prints no warning of the driver", () => {
    const url = parseAddress("postgres://me@db.example/latchkey?sslmode=require").url
    assert.equal(new URL(url).searchParams.get("sslmode"), "verify-full")
    const kept = parseAddress("postgres://me@db.example/latchkey?sslmode=no-verify").url
    assert.equal(new URL(kept).searchParams.get("sslmode"), "no-verify")
  })

  it("a read-only command makes no tables, and a read-only role is reported", async (t) => {
    const server = await startPostgres(t)
    await assert.rejects(openPostgres(server.url(), { mayMake: false }), /there are no Latchkey tables in/)
    assert.equal(await versionOf(server.url()), 0)
    await (await openPostgres(server.url())).close()
    await (await openPostgres(server.url(), { mayMake: false })).close()
    await rowsOf(server.url(), "CREATE ROLE reader LOGIN PASSWORD 's3cret'")
    await rowsOf(server.url(), "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
    const reader = new URL(server.url())
    reader.username = "reader"
    reader.password = "s3cret"
    await assert.rejects(
      openPostgres(reader.href),
      /the tables in .* belong to .*, and the database URL names reader/,
    )
  })

  it("asynchronous commits are switched on again for what must be durable", async (t) => {
    const url = await emptyDatabase(t)
    const name = new URL(url).pathname.slice(1)
    await rowsOf(url, `ALTER DATABASE ${name} SET synchronous_commit = off`)
    const { openConnection } = await import("../../support/open-connection.ts")
    const connection = await openConnection(url)
    const { rows } = await connection.query<{ is: string }>(
      "SELECT current_setting('synchronous_commit') AS is",
      [],
    )
    await connection.end()
    assert.equal(rows[0]?.is, "on")
  })

  it("a database in another encoding is refused", async (t) => {
    const url = await emptyDatabase(t)
    const name = `${new URL(url).pathname.slice(1)}_latin`
    await rowsOf(url, `CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`)
    const latin = new URL(url)
    latin.pathname = `/${name}`
    await assert.rejects(openPostgres(latin.href), /encoding of the database is LATIN1; Latchkey needs UTF8/)
    await rowsOf(url, `DROP DATABASE ${name} WITH (FORCE)`)
  })
})
