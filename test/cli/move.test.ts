/** Tests the move of a service. What began on the embedded database continues on PostgreSQL. */
import assert from "node:assert/strict"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, it, type TestContext } from "node:test"
import { TOTP } from "otpauth"
import { Browser } from "../support/browser.ts"
import { connect, connectIn, refresh, send, signedInBrowser } from "../support/connect.ts"
import { databaseIn } from "../support/database.ts"
import { addAccount, addApp, addResourceServer } from "../support/seed.ts"
import { PASSWORD } from "../support/test-server.ts"
import { freePort } from "../support/free-port.ts"
import { freshDatabase, needsPostgres } from "../support/postgres.ts"
import { done, latchkey, newDirectory, SpawnedServer } from "../support/spawn.ts"

async function target(t: TestContext): Promise<string> {
  const { url, drop } = await freshDatabase()
  t.after(drop)
  return url
}

/** Creates a directory with an embedded database, whatever engine the tests use. */
async function directory(t: TestContext): Promise<string> {
  const dir = newDirectory(t)
  await databaseIn(dir, "sqlite")
  return dir
}

/**
 * Returns the options with which an operator runs the service after the move: the same directory and the URL of the
 * database.
 */
function movedTo(dir: string, url: string) {
  return { environment: { LATCHKEY_DATA: dir, LATCHKEY_DATABASE_URL: url } }
}

describe("latchkey move", needsPostgres, () => {
  it("tokens, factors, sessions and lists work on the new database as they did", async (t) => {
    const [dir, url] = [await directory(t), await target(t)]
    await addAccount(dir, "ada", true)
    await addAccount(dir, "bob")
    const app = await addApp(dir, { type: "public" })
    const files = await addResourceServer(dir)
    // The system does not hand out this port. Otherwise, another connection could take it while the service is stopped.
    const port = { LATCHKEY_PORT: String(await freePort()) }
    const before = await SpawnedServer.start(t, dir, port)
    const tokens = await connect(before, app, "ada")
    const rotated = await refresh(before, app, tokens.refresh_token)
    assert.equal(rotated.status, 200)
    const browser = await signedInBrowser(before, "ada")
    const { secret } = await done<{ secret: string }>(dir, ["account", "totp", "bob"])
    await before.stop()
    const lists = ["account list", "app list", "credential list", "events", "setting list"]
    const listed = await Promise.all(lists.map((list) => done<unknown[]>(dir, list.split(" "))))

    const moved = await latchkey(["move", "--data", dir, "--to", url, "--json"])
    assert.equal(moved.code, 0, moved.stderr)
    const printed = JSON.parse(moved.stdout) as { moved: Record<string, number>; verified: boolean }
    assert.equal(printed.verified, true)
    assert.deepEqual([printed.moved["account"], printed.moved["credential"]], [2, 1])
    for (const [i, list] of lists.entries()) {
      const now = await latchkey([...list.split(" "), "--json"], movedTo(dir, url))
      assert.deepEqual(JSON.parse(now.stdout), listed[i], list)
    }

    const environment = { ...movedTo(dir, url).environment, ...port }
    const after = await SpawnedServer.start(t, dir, environment)
    assert.equal(after.setupUrl, null)
    const live = await send(after, "/oauth/introspect", {
      client_id: files.clientId,
      client_secret: files.secret ?? "",
      token: String(rotated.body["access_token"]),
    })
    assert.equal(live.body["active"], true)
    assert.equal((await refresh(after, app, String(rotated.body["refresh_token"]))).status, 200)
    const again = await refresh(after, app, tokens.refresh_token)
    assert.equal(
      again.body["error"],
      "invalid_grant",
      "a token that was retired before the move stays retired",
    )

    const moving = new Browser(after.url)
    const step = await moving.signIn("bob", PASSWORD)
    assert.equal(step.status, 200)
    const code = new TOTP({ secret }).generate()
    const whole = await moving.submit(step, "/sign-in/code", { code })
    assert.equal(whole.status, 303, whole.text.slice(0, 300))
    assert.ok((await connectIn(moving, after, app)).access_token.startsWith("lka_"))
    assert.equal((await browser.get("/account")).status, 200, "who was signed in still is")
  })

  it("is refused while the service runs, and says which process that is", async (t) => {
    const [dir, url] = [await directory(t), await target(t)]
    await addAccount(dir, "ada", true)
    const server = await SpawnedServer.start(t, dir)
    const refused = await latchkey(["move", "--data", dir, "--to", url])
    assert.equal(refused.code, 1)
    assert.match(
      refused.stderr,
      new RegExp(`The service is running on .*\\(process ${server.pid}\\)\\. Stop it`),
    )
  })

  it("tells what to do next, and never the password", async (t) => {
    const [dir, url] = [await directory(t), await target(t)]
    await addAccount(dir, "ada", true)
    const { password, host } = new URL(url)
    const environment = { LATCHKEY_MOVE_TO: url }
    const moved = await latchkey(["move", "--data", dir], { environment })
    const twice = await latchkey(["move", "--data", dir], { environment })
    assert.deepEqual([moved.code, twice.code], [0, 1])
    assert.match(moved.stdout, /^account +1$/m)
    assert.match(moved.stdout, new RegExp(`rows were copied to latchkey_test_[0-9a-f]+ at ${host}`))
    assert.match(moved.stdout, /1\. Set LATCHKEY_DATABASE_URL/)
    assert.match(moved.stdout, /2\. Set the same LATCHKEY_SECRET_KEY on every node/)
    assert.match(twice.stderr, /The target is not empty: its table account holds rows already\./)
    assert.match(twice.stderr, /Nothing was moved/)
    const all = [moved, twice].map(({ stdout, stderr }) => stdout + stderr).join("")
    assert.ok(password !== "" && !all.includes(password))
    assert.ok(existsSync(join(dir, "latchkey.db")))
  })
})

describe("latchkey move, without a server", () => {
  it("needs an address that is one, and a database to move", async (t) => {
    const dir = await directory(t)
    const without = await latchkey(["move", "--data", dir])
    assert.deepEqual([without.code, /needs --to/.test(without.stderr)], [2, true])
    const other = await latchkey(["move", "--data", dir, "--to", "mysql://me:s3cret@db.example/latchkey"])
    assert.equal(other.code, 2)
    assert.match(other.stderr, /--to is not understood: it must begin with postgres:\/\//)
    assert.ok(!other.stderr.includes("s3cret"))
    const none = await latchkey(["move", "--data", dir, "--to", "postgres://me:s3cret@127.0.0.1:1/latchkey"])
    assert.equal(none.code, 1)
    assert.match(none.stderr, /There is no database in /)
    assert.ok(!existsSync(join(dir, "latchkey.db")))
  })

  it("says that no server answers, without the password", async (t) => {
    const dir = await directory(t)
    await addAccount(dir, "ada", true)
    const away = await latchkey(["move", "--data", dir, "--to", "postgres://me:s3cret@127.0.0.1:1/latchkey"])
    assert.equal(away.code, 1)
    assert.match(away.stderr, /The target cannot be used: .*latchkey at 127\.0\.0\.1:1.*ECONNREFUSED/)
    assert.match(away.stderr, /Nothing was moved: the target received no rows, and the source is unchanged\./)
    assert.ok(!away.stderr.includes("s3cret"))
  })
})
