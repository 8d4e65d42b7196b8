/** Tests every command with an empty data directory or an empty PostgreSQL database. */
import { test, type TestContext } from "node:test"
import assert from "node:assert/strict"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { allCommands } from "../../src/cli/commands.ts"
import { OneProcess } from "../support/one-process.ts"
import { freshDatabase, needsPostgres, rowsOf } from "../support/postgres.ts"
import { APP, makes, move, needs, others } from "./command-cases.ts"
import { done, newDirectory, SpawnedServer, wholeFile } from "../support/spawn.ts"

const oneProcess = OneProcess.start(wholeFile())

test("CLI-1 the tables of this test have every command", async () => {
  const named = [...Object.keys(makes), ...Object.keys(needs), ...others, "move"]
  assert.deepEqual(named.toSorted(), (await allCommands()).map(({ name }) => name).toSorted())
})

for (const [name, { args, input }] of Object.entries(makes)) {
  test(`CLI-1 ${name} works on a fresh data directory`, async (t) => {
    const dir = join(newDirectory(t), "deep", "in")
    const ended = await oneProcess.run([...name.split(" "), ...args, "--data", dir], { input: input ?? "" })
    assert.equal(ended.code, 0, ended.stderr)
    assert.match(ended.stderr, /Created a new database in/)
    assert.ok(existsSync(join(dir, "latchkey.db")))
  })

  test(`CLI-1 ${name} works on an empty PostgreSQL database`, needsPostgres, async (t) => {
    const { dir, environment, tables } = await emptyPostgres(t)
    const command = [...name.split(" "), ...args, "--data", dir]
    const ended = await oneProcess.run(command, { input: input ?? "", environment })
    assert.equal(ended.code, 0, ended.stderr)
    assert.ok((await tables()).length > 0)
    assert.equal(existsSync(join(dir, "latchkey.db")), false)
  })
}

for (const [name, { args, input }] of Object.entries({ ...needs, move })) {
  test(`CLI-1 ${name} says that there is no database yet, and makes none`, async (t) => {
    const dir = newDirectory(t)
    for (const data of [join(dir, "none"), dir]) {
      const ended = await oneProcess.run([...name.split(" "), ...args, "--data", data], {
        input: input ?? "",
      })
      assert.deepEqual([ended.code, ended.stdout], [1, ""], ended.stderr)
      assert.match(ended.stderr, /There is no database in /)
    }
    assert.deepEqual(readdirSync(dir), [])
  })
}

test("CLI-1 what only reads makes nothing in an empty PostgreSQL database", needsPostgres, async (t) => {
  const { dir, environment, tables } = await emptyPostgres(t)
  for (const [name, { args, input }] of Object.entries(needs)) {
    // It names the tools of PostgreSQL, and connects to nothing.
    if (name === "backup") continue
    const command = [...name.split(" "), ...args, "--data", dir]
    const ended = await oneProcess.run(command, { input: input ?? "", environment })
    assert.deepEqual([ended.code, ended.stdout], [1, ""], `${name}: ${ended.stderr}`)
    assert.match(ended.stderr, /There are no Latchkey tables in/, name)
    assert.deepEqual(await tables(), [], name)
  }
  assert.deepEqual(readdirSync(dir), [])
})

test("CLI-1 wrong usage stays wrong usage, and makes nothing", async (t) => {
  const dir = newDirectory(t)
  const wrong = [
    ["account", "add"],
    ["account", "add", "ada"],
    ["app", "add", "--name", "Notes"],
    ["setting", "set", "token.access_seconds"],
    ["setting", "get"],
    ["explain"],
  ]
  for (const args of wrong) {
    const ended = await oneProcess.run([...args, "--data", dir])
    assert.equal(ended.code, 2, `${args.join(" ")}: ${ended.stderr}`)
  }
  assert.deepEqual(readdirSync(dir), [])
})

test("CLI-1 everything can be set up before the first start, and the service goes on from it", async (t) => {
  const dir = newDirectory(t)
  await done(dir, ["account", "add", "ada", "--admin", "--password-stdin"], "correct horse battery")
  await done(dir, ["account", "totp", "ada"])
  const app = await done<{ client_id: string }>(dir, ["app", "add", ...APP, "--owner", "ada"])
  await done(dir, ["app", "update", app.client_id, "--add-permission", "account:read"])
  await done(dir, ["app", "rotate-secret", app.client_id])
  await done(dir, ["setting", "set", "registration.open", "on"])
  await done(dir, ["verify"])
  const server = await SpawnedServer.start(t, dir)
  assert.equal(server.setupUrl, null)
  const metadata = await fetch(`${server.url}/.well-known/oauth-authorization-server`)
  assert.ok("registration_endpoint" in ((await metadata.json()) as object))
  const listed = await done<{ kind: string }[]>(dir, ["account", "factors", "ada", "list"])
  assert.deepEqual(
    listed.map(({ kind }) => kind),
    ["totp"],
  )
})

async function emptyPostgres(t: TestContext) {
  const { url, drop } = await freshDatabase()
  t.after(drop)
  const tables = () => rowsOf(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
  return { dir: newDirectory(t), environment: { LATCHKEY_DATABASE_URL: url }, tables }
}
