import assert from "node:assert/strict"
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { describe, it, type TestContext } from "node:test"
import { DatabaseSync } from "node:sqlite"
import { type Change, decided } from "../../../src/model/change.rules.ts"
import { event } from "../../../src/model/event.rules.ts"
import { MoveFailed } from "../../../src/store/transfer/move-failed.ts"
import { type During, moveDatabase } from "../../../src/store/transfer/move.ts"
import { carriedTables } from "../../../src/store/transfer/tables.ts"
import { openPostgres } from "../../../src/store/postgres/postgres-store.ts"
import { openSqlite } from "../../../src/store/sqlite/sqlite-store.ts"
import type { Store } from "../../../src/store/store.ts"
import { freshDatabase, needsPostgres, rowsOf } from "../../support/postgres.ts"
import { answersOf } from "../answers.ts"
import { AWKWARD, seedStore } from "../seeded-store.ts"
import { account, client, NOW } from "../samples.ts"
import { rawly, scratchDirectory, startChild } from "../scratch.ts"

/**
 * The SQLite tables behind the views `credential` and `event`, which are moved in their place. `usable_account` is a
 * view of `account`.
 */
const notCarried = [
  "usable_account",
  "credential_row",
  "credential_aside",
  "name",
  "scope",
  "event_row",
  "event_new",
]

/** Ends every other connection to the database. */
const CUT = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`

const silently = <T>(_step: string, body: (progress: () => void) => Promise<T>) => body(() => undefined)

async function source(t: TestContext): Promise<string> {
  const file = join(scratchDirectory(t), "latchkey.db")
  const store = openSqlite(file)
  await seedStore(store)
  await store.close()
  return file
}

async function target(t: TestContext): Promise<string> {
  const { url, drop } = await freshDatabase()
  t.after(drop)
  return url
}

async function answers(t: TestContext, store: Store): Promise<Record<string, unknown>> {
  t.after(() => store.close())
  return answersOf(store)
}

async function refusal(file: string, url: string): Promise<string> {
  const failed = await moveDatabase(file, url, silently).then(
    () => assert.fail("it moved"),
    (error: unknown) => error,
  )
  assert.ok(failed instanceof MoveFailed, String((failed as Error).stack))
  const { password } = new URL(url)
  assert.ok(password === "" || !`${failed.message} ${failed.consequences.join(" ")}`.includes(password))
  return failed.message
}

async function assertEmpty(url: string): Promise<void> {
  for (const { name } of carriedTables)
    assert.deepEqual(await rowsOf(url, `SELECT * FROM ${name} LIMIT 1`), [], `${name} is not empty`)
}

describe("a move to PostgreSQL", needsPostgres, () => {
  it("leaves out no table of the embedded database, and the sample has rows in each", async (t) => {
    const database = new DatabaseSync(await source(t), { readOnly: true })
    const tables = database
      .prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'")
      .all()
      .map(({ name }) => String(name))
    assert.deepEqual(tables.toSorted(), [...carriedTables.map(({ name }) => name), ...notCarried].toSorted())
    for (const { name } of carriedTables)
      assert.notEqual(database.prepare(`SELECT count(*) AS rows FROM ${name}`).get()?.["rows"], 0, name)
    database.close()
  })

  it("gives every answer that the embedded database gives", async (t) => {
    const [file, url] = [await source(t), await target(t)]
    const before = await answers(t, openSqlite(file))
    const { moved, problems } = await moveDatabase(file, url, silently)
    assert.deepEqual(
      Object.keys(moved),
      carriedTables.map(({ name }) => name),
    )
    assert.equal(moved["credential"], (before["credentials"] as unknown[]).length)
    const after = await answers(t, await openPostgres(url))
    for (const [method, answer] of Object.entries(before)) {
      assert.deepEqual(after[method], answer, method)
      assert.notDeepEqual(answer, [], `${method} has nothing to compare`)
    }
    assert.deepEqual(problems.map((one) => JSON.stringify(one)).toSorted(), before["problems"])
    assert.deepEqual(await answers(t, openSqlite(file)), before, "the source is as it was")
    const [{ user_agent } = {}] = await rowsOf(
      url,
      "SELECT user_agent FROM session ORDER BY session_hash LIMIT 1",
    )
    assert.equal(user_agent, AWKWARD)
  })

  it("numbers go on where they stood, also those of rows that are gone", async (t) => {
    const [file, url] = [await source(t), await target(t)]
    const next = async (store: Store) => {
      t.after(() => store.close())
      const { last } = await store.invalidations(0, 1)
      const changes: Change[] = [
        { change: "eventRecorded", event: event("signed-in", NOW + 9) },
        { change: "clientChanged", client: client(1) },
      ]
      await store.change({}, () => decided(null, ...changes))
      const [newest] = await store.events({}, { limit: 1 })
      return { event: newest?.id, invalidations: (await store.invalidations(last, 9)).rows }
    }
    await moveDatabase(file, url, silently)
    const expected = await next(openSqlite(file))
    assert.equal(expected.invalidations.length, 1)
    assert.deepEqual(await next(await openPostgres(url)), expected)
  })

  it("of a database that was just made moves nothing, and numbers begin at one", async (t) => {
    const [file, url] = [join(scratchDirectory(t), "latchkey.db"), await target(t)]
    await openSqlite(file).close()
    const { moved } = await moveDatabase(file, url, silently)
    assert.deepEqual([...new Set(Object.values(moved))], [0])
    const store = await openPostgres(url)
    await store.change({}, () => decided(null, { change: "eventRecorded", event: event("signed-in", NOW) }))
    const [first] = await store.events({}, { limit: 1 })
    await store.close()
    assert.equal(first?.id, 1)
  })

  it("takes along what stands in the write-ahead log only", async (t) => {
    const [dir, url] = [scratchDirectory(t), await target(t)]
    const [file, copy] = [join(dir, "latchkey.db"), join(dir, "copy.db")]
    const store = openSqlite(file)
    await store.change({}, () => decided(null, { change: "accountAdded", account: account() }))
    for (const suffix of ["", "-wal"]) copyFileSync(file + suffix, copy + suffix)
    await store.close()
    const { moved } = await moveDatabase(copy, url, silently)
    assert.equal(moved["account"], 1)
  })

  it("the source is locked for writes meanwhile", async (t) => {
    const [file, url] = [await source(t), await target(t)]
    await moveDatabase(file, url, async (step, body) => {
      const other = openSqlite(file, { busyMilliseconds: 20 })
      const change = { change: "settingSet", key: "token.access_seconds", value: "601" } as const
      if (step === "move")
        await assert.rejects(
          other.change({}, () => decided(null, change)),
          { name: "StoreUnavailable" },
        )
      await other.close()
      return body(() => undefined)
    })
    const store = await openPostgres(url)
    assert.equal((await store.settings()).get("token.access_seconds"), "600")
    await store.close()
  })

  it("killed before its end leaves the target empty, and can be begun again", async (t) => {
    const [file, url] = [await source(t), await target(t)]
    const child = startChild("move", [file, url])
    assert.equal(await child.line(), "all sent")
    await child.kill()
    // The server notices the kill a moment later. The move waits for the lock of the killed process.
    const { moved } = await moveDatabase(file, url, silently)
    assert.equal(moved["account"], 4)
  })

  it("stopped at any step leaves the target empty", async (t) => {
    const [file, url] = [await source(t), await target(t)]
    for (const stopped of ["move", "compare"]) {
      const stop = async <T>(step: string, body: (progress: () => void) => Promise<T>) => {
        const value = await body(() => undefined)
        if (step === stopped) throw new RangeError("stopped")
        return value
      }
      await assert.rejects(moveDatabase(file, url, stop), RangeError)
      await assertEmpty(url)
    }
    await moveDatabase(file, url, silently)
  })
})

describe("a move to PostgreSQL is refused", needsPostgres, () => {
  it("where the target holds a row already", async (t) => {
    const [file, url] = [await source(t), await target(t)]
    await moveDatabase(file, url, silently)
    assert.match(
      await refusal(file, url),
      /^The target is not empty: its table account holds rows already\.$/,
    )
  })

  it("where the target belongs to something else", async (t) => {
    const [file, url] = [await source(t), await target(t)]
    await rowsOf(url, "CREATE TABLE shop (id integer)")
    assert.match(
      await refusal(file, url),
      /^The target is not empty: it holds tables of another application\.$/,
    )
    assert.deepEqual(await rowsOf(url, "SELECT to_regclass('account') AS made"), [{ made: null }])
  })

  it("where either side was written by a newer version", async (t) => {
    const [file, url] = [await source(t), await target(t)]
    await (await openPostgres(url)).close()
    await rowsOf(url, "UPDATE schema_version SET version = 99")
    assert.match(await refusal(file, url), /^The target cannot be used: .*version 99/)
    rawly(file, "PRAGMA user_version = 99")
    assert.match(await refusal(file, await target(t)), /latchkey\.db cannot be opened: .*version 99/)
  })

  it("where a text holds NUL, which PostgreSQL does not take, and says where", async (t) => {
    const [file, url] = [await source(t), await target(t)]
    rawly(file, `UPDATE session SET user_agent = 'a' || char(0) || 'b' WHERE proven_by IS NOT NULL`)
    assert.match(
      await refusal(file, url),
      /^PostgreSQL cannot store row 2 of the table session, in the order of session_hash: .*NUL/,
    )
    await assertEmpty(url)
  })

  it("where the server stops in the middle", async (t) => {
    const [file, url] = [await source(t), await target(t)]
    await (await openPostgres(url)).close()
    await rowsOf(url, "ALTER TABLE event ADD CHECK (at <> ?::bigint)".replace("?", String(NOW + 1)))
    assert.match(await refusal(file, url), /^The target reports: new row for relation "event" violates check/)
    await assertEmpty(url)
  })

  it("where the target does not keep the very bytes", async (t) => {
    const [file, url] = [await source(t), await target(t)]
    await (await openPostgres(url)).close()
    for (const sql of [
      `CREATE FUNCTION other() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.detail = NULL; RETURN NEW; END'`,
      "CREATE TRIGGER other BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION other()",
    ])
      await rowsOf(url, sql)
    assert.match(await refusal(file, url), /rows of the table event are not the same/)
    await rowsOf(
      url,
      "CREATE OR REPLACE FUNCTION other() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    )
    assert.match(await refusal(file, url), /the table event has 3 rows, and the target has 0/)
    await assertEmpty(url)
  })

  it("where the connection is cut, and says what is not known where that is at the commit", async (t) => {
    const [file, url] = [await source(t), await target(t)]
    const cutBefore = async (step: string) => {
      const cutting: During = async (now, body) => {
        const cut = () => rowsOf(url, CUT)
        if (now === step) await cut()
        const value = await body(() => undefined)
        if (step === "commit" && now === "compare") await cut()
        return value
      }
      const failed: unknown = await moveDatabase(file, url, cutting).catch((error: unknown) => error)
      assert.ok(failed instanceof MoveFailed, String(failed))
      await assertEmpty(url)
      return failed
    }
    for (const step of ["move", "index", "compare"])
      assert.match((await cutBefore(step)).consequences.join(" "), /^Nothing was moved/, step)
    assert.match(
      (await cutBefore("commit")).consequences.join(" "),
      /it is not known whether the target committed them/,
    )
    await moveDatabase(file, url, silently)
  })

  it("where no server answers, or the name or the password is wrong", async (t) => {
    const [file, url] = [await source(t), await target(t)]
    const wrong = new URL(url)
    wrong.username = "somebody_else"
    assert.match(await refusal(file, wrong.href), /user name or the password is wrong|may not connect/)
    const nowhere = new URL(url)
    nowhere.port = "1"
    assert.match(await refusal(file, nowhere.href), /cannot be reached/)
  })

  it("where the source is no database, or is being written", async (t) => {
    const [file, url] = [await source(t), await target(t)]
    assert.match(await refusal(join(scratchDirectory(t), "none", "latchkey.db"), url), /cannot be opened/)
    const other = new DatabaseSync(file)
    other.exec("BEGIN IMMEDIATE")
    assert.match(await refusal(file, url), /cannot be opened: .*locked/)
    other.close()
  })
})
