/** Tests the replacement and the loss of the service secret, under running services and on the engine of this run. */
import { test, type TestContext } from "node:test"
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { sealedNames, sealedThings } from "../../../src/model/sealed.rules.ts"
import { KeyRing } from "../../../src/platform/services/secret/key-ring.ts"
import { codesAt } from "../../../src/accounts/factors/totp.ts"
import { Browser } from "../../support/browser.ts"
import { databaseIn, ENGINE, everythingIn } from "../../support/database.ts"
import { OneProcess } from "../../support/one-process.ts"
import { addAccount } from "../../support/seed.ts"
import { environmentWith, latchkey, newDirectory, SpawnedServer, wholeFile } from "../../support/spawn.ts"
import { PASSWORD } from "../../support/test-server.ts"

const oneProcess = OneProcess.start(wholeFile())

/** The secret is in the data directory on both engines, unless a test gives another environment. */
async function environmentOf(dir: string): Promise<Record<string, string>> {
  return { ...(await databaseIn(dir)).environment, LATCHKEY_SECRET_KEY: "" }
}

/** Starts a service on the database of `dir`. */
async function serve(t: TestContext, dir: string, given: Readonly<Record<string, string>> = {}) {
  return SpawnedServer.start(t, dir, { ...(await environmentOf(dir)), ...given })
}

async function run(dir: string, args: readonly string[], given: Readonly<Record<string, string>> = {}) {
  const environment = { ...(await environmentOf(dir)), ...given }
  return oneProcess.run([...args, "--data", dir], { environment })
}

async function withTotp(t: TestContext, name = "ada") {
  const dir = newDirectory(t)
  await addAccount(dir, name)
  const enrolled = await run(dir, ["account", "totp", name, "--json"])
  const { secret } = JSON.parse(enrolled.stdout) as { readonly secret: string }
  return { dir, secret }
}

const secretIn = (dir: string, name = "secret.key") => readFileSync(join(dir, name), "utf8").trim()

/** The last step whose code was used, by the secret of the one-time password. */
const used = new Map<string, number>()

/** Signs in with a password and a code. Each code is of a later step, because a step counts once. */
async function signsIn(server: SpawnedServer, totp: string, name = "ada"): Promise<boolean> {
  const browser = new Browser(server.url)
  const page = await browser.signIn(name, PASSWORD)
  const step = Math.floor(Date.now() / 30_000)
  const next = Math.max((used.get(totp) ?? 0) + 1, step)
  used.set(totp, next)
  const [code] = codesAt(totp, [next])
  const response = await browser.submit(page, "/sign-in/code", { code: code?.code ?? "" })
  return response.status === 303
}

/** A sign-in whose page with the second step is open. Its hidden field is sealed. */
async function openSecondStep(server: SpawnedServer) {
  const browser = new Browser(server.url)
  return { browser, page: await browser.signIn("ada", PASSWORD) }
}

/** Begins a rotation that kills itself after a step. Returns the signal that ended it. */
async function killedRotation(dir: string, step: string): Promise<string | null> {
  const child = join(import.meta.dirname, "rotate-and-kill.ts")
  const env = environmentWith(await environmentOf(dir))
  const [, signal] = await once(spawn(process.execPath, [child, dir, step], { env }), "close")
  return signal as string | null
}

/** The open page leads back to the sign-in page, whatever the code is. */
async function assertStartsOver({ browser, page }: Awaited<ReturnType<typeof openSecondStep>>) {
  const { status, text } = await browser.submit(page, "/sign-in/code", { code: "000000" })
  assert.equal(status, 403)
  assert.match(text, /This page has expired. Sign in again./)
}

/** Every sealed text of the database opens with this secret. */
async function assertSealedWith(dir: string, secret: string): Promise<void> {
  const ring = new KeyRing([Buffer.from(secret)])
  const database = await databaseIn(dir)
  const content = await everythingIn(database)
  let count = 0
  for (const thing of sealedNames) {
    const { table, key, column, purpose } = sealedThings[thing]
    for (const row of content[table] ?? []) {
      if (row[column] === null) continue
      assert.notEqual(
        ring.open(purpose(String(row[key])), String(row[column])),
        null,
        `${table} ${String(row[key])}`,
      )
      count++
    }
  }
  assert.ok(count > 0)
  assert.equal(JSON.stringify(content).includes(secret), false, "the database has the secret itself")
}

test("SECRET-1 the secret is replaced under a running service, and one-time passwords work before and after", async (t) => {
  const { dir, secret: totp } = await withTotp(t)
  const server = await serve(t, dir)
  const former = secretIn(dir)
  const open = await openSecondStep(server)
  const ended = await run(dir, ["secret", "rotate", "--json"])
  assert.deepEqual(JSON.parse(ended.stdout), { replaced: true, sealed: 1, unreadable: 0 }, ended.stderr)
  const secret = secretIn(dir)
  assert.notEqual(secret, former)
  assert.equal(existsSync(join(dir, "secret.key.next")), false)
  await assertSealedWith(dir, secret)
  assert.equal(await signsIn(server, totp), true, "the same process, with the new secret")
  await assertStartsOver(open)
  assert.match(server.stderr, /the new service secret is in force/)
  const events = await run(dir, ["events", "--kind", "service-secret-replaced", "--json"])
  assert.equal(JSON.parse(events.stdout).length, 1)
  await server.stop()
  const next = await serve(t, dir)
  assert.equal(await signsIn(next, totp), true, "after a restart with the new secret alone")
})

test("SECRET-2 a rotation that is killed after any step continues when it is called again, and a start works in between", async (t) => {
  const { dir, secret: totp } = await withTotp(t)
  for (let step = 1; ; step++) {
    if ((await killedRotation(dir, String(step))) === null) {
      assert.ok(step > 5, `it ended before step ${step}`)
      break
    }
    // A command opens what is sealed, and a new one-time password is sealed with what is in force.
    const added = await run(dir, ["account", "totp", "ada"])
    assert.equal(added.code, 0, `after step ${step}: ${added.stderr}`)
    await run(dir, ["account", "factors", "ada", "list"])
  }
  const ended = await run(dir, ["secret", "rotate"])
  assert.equal(ended.code, 0, ended.stderr)
  assert.equal(/Where another node has its own data directory/.test(ended.stdout), ENGINE === "postgres")
  await assertSealedWith(dir, secretIn(dir))
  const server = await serve(t, dir)
  assert.equal(await signsIn(server, totp), true)
})

test("SECRET-2 a running node keeps working while rotations are killed, and takes the new secret in the end", async (t) => {
  const { dir, secret: totp } = await withTotp(t)
  const server = await serve(t, dir)
  assert.equal(await killedRotation(dir, "held"), "SIGKILL")
  // Three sign-ins within a minute would need the code of a step that is too far ahead.
  for (const step of ["sealed", "switched"]) {
    assert.equal(await killedRotation(dir, step), "SIGKILL", step)
    assert.equal((await openSecondStep(server)).page.status, 200, `after ${step}`)
  }
  assert.equal(await signsIn(server, totp), true)
  const ended = await run(dir, ["secret", "rotate", "--json"])
  assert.deepEqual(JSON.parse(ended.stdout), { replaced: true, sealed: 0, unreadable: 0 }, ended.stderr)
  await assertSealedWith(dir, secretIn(dir))
  assert.equal(await signsIn(server, totp), true)
  assert.match(server.stderr, /the new service secret is in force/)
})

test("SECRET-2 a node that lacks the new secret stops the rotation by name, and nothing is switched", async (t) => {
  const { dir } = await withTotp(t)
  const secret = secretIn(dir)
  const server = await serve(t, dir, { LATCHKEY_SECRET_KEY: secret })
  const ended = await run(dir, ["secret", "rotate"])
  assert.deepEqual([ended.code, ended.stdout], [1, ""])
  assert.match(ended.stderr, new RegExp(`process ${server.pid}. Copy secret.key.next`))
  await assertSealedWith(dir, secret)
  await server.stop()
  const both = { LATCHKEY_SECRET_KEY: secret, LATCHKEY_SECRET_KEY_NEW: secretIn(dir, "secret.key.next") }
  const restarted = await serve(t, dir, both)
  const open = await openSecondStep(restarted)
  const rotated = await run(dir, ["secret", "rotate"], both)
  assert.equal(rotated.code, 0, rotated.stderr)
  assert.match(rotated.stdout, /Set LATCHKEY_SECRET_KEY to the new secret everywhere/)
  assert.equal((await fetch(`${restarted.url}/health`)).status, 200)
  await assertSealedWith(dir, both.LATCHKEY_SECRET_KEY_NEW)
  await assertStartsOver(open)
  await restarted.stop()
  const late = await latchkey(["serve", "--data", dir, "--port", "0"], {
    environment: { ...(await environmentOf(dir)), LATCHKEY_SECRET_KEY: secret },
  })
  assert.match(late.stderr, /belongs to another service secret/, "the former secret alone does not start")
})

test("SECRET-4 a lost secret is given up: the list first, then --yes, and the next start makes a new one", async (t) => {
  const { dir } = await withTotp(t)
  const held = await run(dir, ["secret", "forget", "--yes"])
  assert.match(held.stderr, /is not lost/)
  const running = await serve(t, dir)
  rmSync(join(dir, "secret.key"))
  const early = await run(dir, ["secret", "forget"])
  assert.equal(early.code, 1)
  assert.match(early.stderr, /Stop the service first, or wait a minute if it has ended\./)
  await running.stop()
  const listed = await run(dir, ["secret", "forget", "--json"])
  assert.equal(listed.code, 0, listed.stderr)
  assert.match(listed.stderr, /Nothing was changed/)
  const { one_time_passwords: lost, forgotten } = JSON.parse(listed.stdout)
  assert.deepEqual([forgotten, lost.map(({ username }: { username: string }) => username)], [false, ["ada"]])
  assert.equal(
    (await run(dir, ["account", "factors", "ada", "list", "--json"])).stdout.includes("totp"),
    true,
  )
  const ended = await run(dir, ["secret", "forget", "--yes", "--json"])
  assert.equal(ended.code, 0, ended.stderr)
  const server = await serve(t, dir)
  assert.equal((await new Browser(server.url).signIn("ada", PASSWORD)).status, 303, "the password alone")
  assert.ok(secretIn(dir).length >= 32)
  const verified = await run(dir, ["verify"])
  assert.equal(verified.code, 0, verified.stderr)
})

if (ENGINE === "postgres")
  test("SECRET-1 two nodes with their own directories take the new secret without a restart", async (t) => {
    const { dir, secret: totp } = await withTotp(t)
    const secret = secretIn(dir)
    const next = "n".repeat(44)
    const both = { LATCHKEY_SECRET_KEY: secret, LATCHKEY_SECRET_KEY_NEW: next }
    const environment = { ...(await environmentOf(dir)), ...both }
    const nodes = await Promise.all([0, 1].map(() => SpawnedServer.start(t, newDirectory(t), environment)))
    const rotated = await run(dir, ["secret", "rotate"], both)
    assert.equal(rotated.code, 0, rotated.stderr)
    for (const node of nodes) assert.equal(await signsIn(node, totp), true)
    await assertSealedWith(dir, next)
  })
