/** Tests a service while another process has locked its embedded database. The other process is this one. */
import { before, describe, test, type TestContext } from "node:test"
import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { TokenResponse } from "../../../src/oauth/credential/token-response.rules.ts"
import { Browser } from "../../support/browser.ts"
import { type AppIdentity, connectIn, own, refresh, send, signedInBrowser } from "../../support/connect.ts"
import { addAccount, addApp, addResourceServer } from "../../support/seed.ts"
import { PASSWORD } from "../../support/test-server.ts"
import { PASSWORD_TRIES } from "../../../src/kernel/account-limits.ts"
import { latchkey, newDirectory, SpawnedServer, wholeFile } from "../../support/spawn.ts"
import { until } from "../../support/until.ts"
import { assertRefused } from "../../support/answers.ts"

const SOON_MS = 1000

const file = wholeFile()
let dir: string
let server: SpawnedServer
let alice: Browser
let app: AppIdentity
let resourceServer: AppIdentity
let held: TokenResponse

before(async () => {
  dir = newDirectory(file)
  await addAccount(dir, "alice")
  const permissions = ["account:read", "account:write", "credentials:read"]
  app = await addApp(dir, { type: "public", permissions })
  resourceServer = await addResourceServer(dir)
  server = await SpawnedServer.start(file, dir)
  alice = await signedInBrowser(server, "alice")
  held = await connectIn(alice, server, app)
})

/** Locks the database until the returned function is called or the test ends. */
function lock(t: TestContext): () => void {
  const foreign = new DatabaseSync(join(dir, "latchkey.db"))
  foreign.exec("BEGIN EXCLUSIVE")
  const release = () => {
    if (foreign.isOpen) foreign.close()
  }
  t.after(release)
  return release
}

/** Fails if the response takes longer than a second. */
async function soon<T>(answer: Promise<T>): Promise<T> {
  const begun = performance.now()
  const value = await answer
  const took = performance.now() - begun
  assert.ok(took < SOON_MS, `answered only after ${took} ms`)
  return value
}

async function health(): Promise<unknown> {
  const response = await soon(fetch(`${server.url}/health`))
  assert.equal(response.status, 200)
  return response.json()
}

async function untilFree(): Promise<void> {
  await until(async () => !("store" in ((await health()) as object)), "the lock is found to be free")
}

function api(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${held.access_token}`, "content-type": "application/json" }
  return fetch(`${server.url}${path}`, { ...init, headers })
}

describe("LOAD-5: another process has locked the database", () => {
  test("health says so within a second, before any request has tried to write", async (t) => {
    assert.deepEqual(await health(), { status: "ok" })
    const release = lock(t)
    assert.deepEqual(await health(), { status: "ok", store: "locked" })
    release()
    await untilFree()
  })

  test("what has to write is refused within a second, each kind of address in its own way", async (t) => {
    lock(t)
    const refused = await soon(refresh(server, app, held.refresh_token))
    assertRefused(refused, 503, "temporarily_unavailable")
    assert.match(refused.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
    const device = await soon(send(server, "/oauth/device-authorization", own(app)))
    assertRefused(device, 503, "temporarily_unavailable")

    const changed = await soon(api("/api/account", { method: "PATCH", body: '{"username": "alicia"}' }))
    assert.equal(changed.status, 503)
    assert.match(changed.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
    assert.match(JSON.stringify(await changed.json()), /"UNAVAILABLE"/)

    const page = await alice.get("/account")
    const out = await soon(alice.submit(page, "/sign-out", {}))
    assert.equal(out.status, 503)
    assert.match(out.text, /<h1[^>]*>[^<]*<\/h1>/)
    assert.match(out.text, /Nothing was changed\. Wait a few seconds, then go back and try again\./)
    assert.equal((await alice.get("/account")).status, 200)
  })

  test("RATE-2 a right password that is answered 503 is no try; a wrong one is counted, and is no 503", async (t) => {
    const release = lock(t)
    const { account } = PASSWORD_TRIES
    for (let n = 0; n < account.requests + 2; n++)
      assert.equal((await new Browser(server.url).signIn("alice", PASSWORD)).status, 503)
    for (let n = 1; n < account.requests; n++)
      assert.equal((await new Browser(server.url).signIn("alice", "wrong")).status, 403)
    release()
    await untilFree()
    assert.equal((await new Browser(server.url).signIn("alice", PASSWORD)).status, 303)
    assert.equal((await new Browser(server.url).signIn("alice", "wrong")).status, 403)
    assert.equal((await new Browser(server.url).signIn("alice", "wrong")).status, 429)
  })

  test("what only reads is answered as ever", async (t) => {
    lock(t)
    const introspected = await soon(
      send(server, "/oauth/introspect", { ...own(resourceServer), token: held.access_token }),
    )
    assert.equal(introspected.body["active"], true)
    for (const path of ["/api/account", "/api/credential"])
      assert.equal((await soon(api(path))).status, 200, path)
    for (const path of ["/account", "/account/security", "/oauth/device"])
      assert.equal((await soon(alice.get(path))).status, 200, path)
    const metadata = await soon(fetch(`${server.url}/.well-known/oauth-authorization-server`))
    assert.equal(metadata.status, 200)
    assertRefused(await soon(send(server, "/oauth/token", own(app))), 400, "invalid_request")
  })

  test("nothing is lost when the lock goes, and what was refused is never done", async (t) => {
    const release = lock(t)
    const refused = await Promise.all(
      Array.from({ length: 50 }, () => refresh(server, app, held.refresh_token)),
    )
    assert.deepEqual([...new Set(refused.map(({ status }) => status))], [503])
    release()
    await untilFree()
    // None of the refused requests has retired the token, so it is still the current one.
    const refreshed = await refresh(server, app, held.refresh_token)
    assert.equal(refreshed.status, 200)
    held = refreshed.body as unknown as TokenResponse
    const verified = await latchkey(["verify", "--data", dir])
    assert.equal(verified.code, 0, verified.stderr)
  })

  test("a service starts beside the lock and serves what it can", async (t) => {
    await server.stop()
    const release = lock(t)
    server = await SpawnedServer.start(file, dir)
    // The port is another one, and so is the base URL, which cannot be stored now.
    assert.deepEqual(await health(), { status: "ok", store: "locked", base_url: "differs" })
    const introspected = await soon(
      send(server, "/oauth/introspect", { ...own(resourceServer), token: held.access_token }),
    )
    assert.equal(introspected.body["active"], true)
    release()
    await untilFree()
    assert.equal((await refresh(server, app, held.refresh_token)).status, 200)
  })

  test("a start that has to write says what is in the way", async (t) => {
    const fresh = newDirectory(t)
    const foreign = new DatabaseSync(join(fresh, "latchkey.db"))
    foreign.exec("PRAGMA journal_mode = WAL; CREATE TABLE x (y); BEGIN EXCLUSIVE")
    t.after(() => foreign.close())
    const serve = await latchkey(["serve", "--data", fresh, "--port", "0"])
    assert.equal(serve.code, 1)
    assert.match(serve.stderr, /cannot start: another process has locked the database\./)
    const add = await latchkey(["account", "add", "ada", "--password-stdin", "--data", fresh], {
      input: PASSWORD,
    })
    assert.equal(add.code, 1)
    assert.match(add.stderr, /another process has locked the database/)
  })
})
