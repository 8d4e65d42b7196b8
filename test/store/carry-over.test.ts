/**
 * A database with the last schema before the migrations were merged is carried over at the first start. Everything in
 * it must still work.
 */
import assert from "node:assert/strict"
import { describe, it, type TestContext } from "node:test"
import { codeAt } from "../accounts/factors/factors.ts"
import { poll } from "../oauth/device/device.ts"
import { Browser } from "../support/browser.ts"
import { testClock } from "../support/clock.ts"
import { exchange, refresh, send } from "../support/connect.ts"
import { type Engine, everythingIn, type TestDatabase } from "../support/database.ts"
import { PASSWORD, TestServer } from "../support/test-server.ts"
import { needsPostgres } from "../support/postgres.ts"
import { issued } from "./before-squash.ts"
import { contentOf, freshSchema, oldDatabase, oldPart, schemaOf } from "./old-database.ts"

/** Starts the service on this database, at the time when the old service stopped. */
async function served(t: TestContext, engine: Engine, database: TestDatabase): Promise<TestServer> {
  const clock = testClock(issued[engine].now)
  const testServer = await TestServer.open({ engine, database, clock, secret: issued.secret })
  t.after(() => testServer.close())
  return testServer
}

for (const engine of ["sqlite", "postgres"] as const)
  describe(
    `a database from before the squash, on ${engine}`,
    engine === "postgres" ? needsPostgres : {},
    () => {
      it("SVC-2 has the schema of a new one, and every row that it had", async (t) => {
        const database = await oldDatabase(t, engine)
        const before = await contentOf(database)
        await (await database.open()).close()
        assert.deepEqual(oldPart(await contentOf(database), before), oldPart(before, before))
        assert.deepEqual(await schemaOf(database), await freshSchema(t, engine))
      })

      it("GRANT CODE CRED DG every token in it works, and verify finds nothing", async (t) => {
        const database = await oldDatabase(t, engine)
        const testServer = await served(t, engine, database)
        const { live, codes, resource, pending, approved, revoked } = issued[engine]
        const isActive = async (token: string) =>
          (
            await send(testServer, "/oauth/introspect", {
              client_id: resource.clientId,
              client_secret: resource.secret ?? "",
              token,
            })
          ).body["active"]
        assert.deepEqual(await testServer.store.verify(), [])
        for (const { app, access, refresh: token } of live) {
          for (const one of access) assert.equal(await isActive(one), true)
          const answer = await refresh(testServer, app, token)
          assert.equal(answer.status, 200, JSON.stringify(answer.body))
          assert.equal(await isActive(String(answer.body["access_token"])), true)
        }
        for (const { app, code, verifier } of codes)
          assert.equal((await exchange(testServer, app, code, verifier)).status, 200)
        assert.equal((await poll(testServer, approved.app, approved)).status, 200)
        assert.equal((await poll(testServer, pending.app, pending)).body["error"], "authorization_pending")
        assert.equal(await isActive(revoked.access), false)
        assert.deepEqual(await testServer.store.verify(), [])
      })

      it("ACCT FACTOR its accounts sign in, also with a one-time password", async (t) => {
        const testServer = await served(t, engine, await oldDatabase(t, engine))
        assert.equal((await new Browser(testServer.url).signIn("ada", PASSWORD)).status, 303)
        const browser = new Browser(testServer.url)
        const page = await browser.signIn("carol", PASSWORD)
        const code = codeAt(testServer, issued[engine].totp)
        assert.equal((await browser.submit(page, "/sign-in/code", { code })).status, 303)
      })

      it("an older one is refused untouched, with the commit to pass through", async (t) => {
        const database = await oldDatabase(t, engine)
        await setVersion(database, engine, 4)
        const before = await everythingIn(database)
        const schema = await schemaOf(database)
        await assert.rejects(
          async () => database.open(),
          /schema version 4, which is too old .* start commit 075dac1 on it once, and then this version/,
        )
        assert.deepEqual(await everythingIn(database), before)
        assert.deepEqual(await schemaOf(database), schema)
      })

      it("a row that breaks a constraint keeps it from being carried over, and it stays as it was", async (t) => {
        const database = await oldDatabase(t, engine)
        await database.rows("UPDATE account SET admin = 7 WHERE username = 'bob'")
        const before = await everythingIn(database)
        await assert.rejects(async () => database.open(), /check constraint/i)
        assert.deepEqual(await everythingIn(database), before)
      })
    },
  )

async function setVersion(database: TestDatabase, engine: Engine, version: number): Promise<void> {
  await database.rows(
    engine === "sqlite"
      ? `PRAGMA user_version = ${version}`
      : `UPDATE schema_version SET version = ${version}`,
  )
}
