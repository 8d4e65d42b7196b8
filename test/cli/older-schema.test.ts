/** Tests every command with a database that an older version wrote. `test/store/before-squash` has such databases. */
import { test, type TestContext } from "node:test"
import assert from "node:assert/strict"
import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { versionOfLast } from "../../src/store/schema-steps.ts"
import { schema as postgresSchema } from "../../src/store/postgres/migrate.ts"
import { schema as sqliteSchema } from "../../src/store/sqlite/migrate.ts"
import { contentOf, freshSchema, oldDatabase, schemaOf } from "../store/old-database.ts"
import { fillOldPostgres, issued } from "../store/before-squash.ts"
import { scratchDirectory } from "../store/scratch.ts"
import { type Engine, ENGINE } from "../support/database.ts"
import { OneProcess } from "../support/one-process.ts"
import { freshDatabase, needsPostgres } from "../support/postgres.ts"
import { SpawnedServer, wholeFile } from "../support/spawn.ts"
import { makes, move, needs } from "./command-cases.ts"

const oneProcess = OneProcess.start(wholeFile())

const versions = {
  sqlite: { from: sqliteSchema.carryOver.from, to: versionOfLast(sqliteSchema) },
  postgres: { from: postgresSchema.carryOver.from, to: versionOfLast(postgresSchema) },
} as const

async function older(t: TestContext, engine: Engine) {
  const database = await oldDatabase(t, engine)
  const dir = engine === "sqlite" ? dirname(database.place) : scratchDirectory(t)
  const run = (name: string, args: readonly string[], input = "") =>
    oneProcess.run([...name.split(" "), ...args, "--data", dir], { input, environment: database.environment })
  const stored = async () => ({ content: await contentOf(database), schema: await schemaOf(database) })
  return { database, dir, run, stored }
}

for (const engine of ["sqlite", "postgres"] as const) {
  const options = engine === "postgres" ? needsPostgres : {}

  test(
    `SCHEMA-1 on an older schema, commands say what to do and change nothing, on ${engine}`,
    options,
    async (t) => {
      const { run, stored, dir } = await older(t, engine)
      const before = await stored()
      const { from, to } = versions[engine]
      for (const [name, { args, input }] of Object.entries({ ...makes, ...needs })) {
        if (name === "backup" || name === "migrate") continue
        const ended = await run(name, args, input)
        assert.deepEqual([ended.code, ended.stdout], [1, ""], `${name}: ${ended.stderr}`)
        assert.match(
          ended.stderr,
          new RegExp(`schema version ${from}, .* needs ${to}: make a backup, then`),
          name,
        )
      }
      assert.deepEqual(await stored(), before)
      assert.equal(existsSync(join(dir, "secret.key")), false)
    },
  )

  test(
    `SCHEMA-3 migrate changes the schema and says from which to which, on ${engine}`,
    options,
    async (t) => {
      const { database, run } = await older(t, engine)
      const { from, to } = versions[engine]
      const ended = await run("migrate", ["--json"])
      assert.deepEqual(JSON.parse(ended.stdout), { migrated: true, from, to }, ended.stderr)
      assert.deepEqual(await schemaOf(database), await freshSchema(t, engine))
      assert.deepEqual(JSON.parse((await run("migrate", ["--json"])).stdout), { migrated: false })
      assert.equal((await run("account list", [])).code, 0)
    },
  )
}

test(
  "SCHEMA-1 move refuses an older source and an older target, and changes neither",
  needsPostgres,
  async (t) => {
    const { stored, dir } = await older(t, "sqlite")
    const before = await stored()
    const { url, drop } = await freshDatabase()
    t.after(drop)
    const refused = await oneProcess.run(["move", "--to", url, "--data", dir])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /schema version 12, .* make a backup/)
    assert.deepEqual(await stored(), before)
    assert.equal(move.args.length, 2)
    await fillOldPostgres(url)
    const { dir: other } = await older(t, "sqlite")
    await oneProcess.run(["migrate", "--data", other])
    const target = await oneProcess.run(["move", "--to", url, "--data", other])
    assert.equal(target.code, 1)
    assert.match(target.stderr, /schema version 5, .* make a backup/)
  },
)

test("SCHEMA-2 backup copies an older schema as it is, and the older version can open the copy", async (t) => {
  const { dir, run, database } = await older(t, "sqlite")
  const bytes = readFileSync(join(dir, "latchkey.db"))
  const copy = join(dir, "copy.db")
  const ended = await run("backup", [copy, "--json"])
  assert.deepEqual(JSON.parse(ended.stdout), { file: copy }, ended.stderr)
  // Not deepEqual: the difference between two files of this size takes minutes to print.
  assert.ok(readFileSync(join(dir, "latchkey.db")).equals(bytes))
  const opened = new DatabaseSync(copy, { readOnly: true })
  t.after(() => opened.close())
  assert.equal(opened.prepare("PRAGMA user_version").get()?.["user_version"], versions.sqlite.from)
  assert.equal(opened.prepare("PRAGMA integrity_check").get()?.["integrity_check"], "ok")
  const schema = opened.prepare(
    "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY name",
  )
  assert.deepEqual(schema.all(), await schemaOf(database))
  assert.equal(statSync(copy).mode & 0o777, 0o600)
})

test("SCHEMA-2 backup copies a schema of a newer version too", async (t) => {
  const { dir, run, database } = await older(t, "sqlite")
  await database.rows("PRAGMA user_version = 99")
  const ended = await run("backup", [join(dir, "copy.db")])
  assert.equal(ended.code, 0, ended.stderr)
})

test("SCHEMA-4 serve logs from which schema to which it migrated", async (t) => {
  const { dir, database } = await older(t, ENGINE)
  const environment = { ...database.environment, LATCHKEY_SECRET_KEY: issued.secret }
  const server = await SpawnedServer.start(t, dir, environment)
  await server.stop()
  const { from, to } = versions[ENGINE]
  const lines = server.stderr.split("\n").filter((line) => line.includes("was migrated"))
  assert.equal(lines.length, 1, server.stderr)
  const { from: before, to: after } = JSON.parse(lines[0] ?? "") as Record<string, unknown>
  assert.deepEqual([before, after], [from, to])
})

test("SCHEMA-3 migrate refuses while a service runs on the embedded database", async (t) => {
  if (ENGINE !== "sqlite") return
  const dir = scratchDirectory(t)
  await SpawnedServer.start(t, dir)
  const ended = await oneProcess.run(["migrate", "--data", dir])
  assert.deepEqual([ended.code, ended.stdout], [1, ""])
  assert.match(ended.stderr, /The service is running on .*\(process \d+\)\. Stop it first\./)
})
