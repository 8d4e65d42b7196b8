/** Tests the appearance of a service with two nodes. Both see one database, and the test moves their clock. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { start, stop } from "../../../src/main.ts"
import { elevate } from "../api/api-world.ts"
import { fixture } from "../../support/fixture.ts"
import { grant } from "../../support/grant.ts"
import { needsPostgres } from "../../support/postgres.ts"
import { type Span, within } from "../../support/spawn.ts"
import type { TestServer } from "../../support/test-server.ts"

/** Starts another node on the same database. Returns its URL. */
async function startAnother(span: Span, { latchkey, database, clock }: TestServer): Promise<string> {
  const { catalog, keys, log } = latchkey
  const store = await database.open()
  const options = { catalog, trustedProxies: [], host: "127.0.0.1", port: 0, baseUrl: null }
  const running = await start(options, store, { clock, keys, log })
  running.endHousekeeping()
  span.after(async () => {
    await stop(running, log)
    await store.close()
  })
  return `http://localhost:${running.port}`
}

const titleOn = async (url: string) => {
  const page = await (await fetch(`${url}/sign-in`)).text()
  return /<title>(.*)<\/title>/.exec(page)?.[1]
}

for (const [engine, needs] of [
  ["sqlite", {}],
  ["postgres", needsPostgres],
] as const)
  test(
    `LOOK-2 ${engine}: a name that one node stores is on the pages of the other within a second`,
    needs,
    () =>
      within(async (span) => {
        const { testServer, ada, app } = await fixture({
          engine,
          admins: ["ada"],
          browsers: ["ada"],
          apps: { app: { permissions: ["admin:settings"], stepUp: true } },
          span,
        })
        const other = await startAnother(span, testServer)
        const credential = await grant(testServer, ada, app, { scope: "admin:settings" })
        await elevate(testServer, ada, credential)
        assert.equal(await titleOn(other), "Sign in · Latchkey")
        const answer = await fetch(`${testServer.url}/api/admin/appearance`, {
          method: "PATCH",
          headers: { authorization: `Bearer ${credential.access_token}`, "content-type": "application/json" },
          body: JSON.stringify({ name: "Orchard" }),
        })
        assert.equal(answer.status, 200)
        assert.equal(await titleOn(testServer.url), "Sign in · Orchard")
        assert.equal(await titleOn(other), "Sign in · Latchkey", "the other node has not asked again")
        testServer.clock.advance(1)
        assert.equal(await titleOn(other), "Sign in · Orchard")
      }),
  )
