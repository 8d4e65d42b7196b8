/** Another session has locked a table of the database. Tests how each node responds meanwhile and afterwards. */
import { before, describe, test } from "node:test"
import assert from "node:assert/strict"
import { isDeepStrictEqual } from "node:util"
import type { TokenResponse } from "../../src/oauth/credential/token-response.rules.ts"
import { openConnection } from "../support/open-connection.ts"
import { assertRefused } from "../support/answers.ts"
import { type AppIdentity, connectIn, own, refresh, send, signedInBrowser } from "../support/connect.ts"
import { addAccount, addApp, addResourceServer } from "../support/seed.ts"
import { StallMeter } from "../support/stall-meter.ts"
import { needsPostgres } from "../support/postgres.ts"
import { type Span, done, wholeFile } from "../support/spawn.ts"
import { until } from "../support/until.ts"
import { Nodes } from "./nodes.ts"

/** The proof of pressure judges by one second. A machine that runs all tests at once gets more time. */
const SOON_MS = 2000
const MANY = 50

const file = wholeFile()
const stalls = new StallMeter(file)
let nodes: Nodes
let app: AppIdentity
let resourceServer: AppIdentity
let held: TokenResponse

/** Locks the table until the returned function is called or the test ends. */
async function lock(t: Span, mode: string): Promise<() => Promise<void>> {
  const foreign = await openConnection(nodes.database.environment["LATCHKEY_DATABASE_URL"] ?? "")
  t.after(() => foreign.end())
  await foreign.script("BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0")
  await foreign.script(`LOCK TABLE credential IN ${mode} MODE`)
  return () => foreign.commit()
}

async function soon<T>(answer: Promise<T>): Promise<T> {
  const elapsed = stalls.stopwatch()
  const value = await answer
  assert.ok(elapsed() < SOON_MS, `answered only after ${elapsed()} ms`)
  return value
}

async function health(n: number): Promise<unknown> {
  const response = await soon(fetch(`${nodes.at(n).url}/health`))
  assert.equal(response.status, 200)
  return response.json()
}

async function untilFree(): Promise<void> {
  for (const n of [0, 1])
    await until(async () => !("store" in ((await health(n)) as object)), "the table is found to be free")
}

const introspect = (n: number) =>
  send(nodes.at(n), "/oauth/introspect", { ...own(resourceServer), token: held.access_token })

describe("LOAD-5: another session has locked a table", needsPostgres, () => {
  before(async () => {
    nodes = await Nodes.start(file, { count: 2 })
    await addAccount(nodes.dir, "alice")
    app = await addApp(nodes.dir, { type: "public" })
    resourceServer = await addResourceServer(nodes.dir)
    held = await connectIn(await signedInBrowser(nodes, "alice"), nodes, app)
  })

  test("health says so within a second, before any request has tried to write", async (t) => {
    assert.deepEqual(await health(0), { status: "ok" })
    const release = await lock(t, "EXCLUSIVE")
    const isLocked = async (n: number) =>
      isDeepStrictEqual(await health(n), { status: "ok", store: "locked" })
    for (const n of [0, 1]) await until(() => isLocked(n), "/health says locked", 1000)
    await release()
    await untilFree()
  })

  for (const mode of ["EXCLUSIVE", "ACCESS EXCLUSIVE"]) {
    test(`${mode}: a write is refused within a second, no request is kept waiting, and nothing is lost`, async (t) => {
      const release = await lock(t, mode)
      for (let wave = 0; wave < 2; wave++) {
        const refused = Array.from({ length: MANY }, (_, n) =>
          soon(refresh(nodes.at(n), app, held.refresh_token)),
        )
        const well = [health(0), health(1)]
        for (const answer of await Promise.all(refused)) {
          assertRefused(answer, 503, "temporarily_unavailable")
          assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
        }
        // A request that arrives during these responses may be served before them.
        await Promise.all(well)
        for (const n of [0, 1]) {
          assert.deepEqual(await health(n), { status: "ok", store: "locked" })
          const introspected = await soon(introspect(n))
          assert.equal(introspected.status, mode === "EXCLUSIVE" ? 200 : 503)
        }
      }
      await release()
      await untilFree()
      assert.equal((await introspect(0)).body["active"], true)
      // None of the refused requests has retired the token, so it is still the current one.
      const refreshed = await refresh(nodes.at(1), app, held.refresh_token)
      assert.equal(refreshed.status, 200)
      held = refreshed.body as unknown as TokenResponse
      assert.deepEqual(await done(nodes.dir, ["verify"]), [])
    })
  }
})
