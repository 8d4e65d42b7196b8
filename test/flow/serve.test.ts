/** Tests that only one server uses a data directory, except on PostgreSQL. Also tests how SIGTERM ends a server. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { Agent, request } from "node:http"
import { join } from "node:path"
import {
  codeFor,
  connectIn,
  exchange,
  newVerifier,
  own,
  refresh,
  signedInBrowser,
} from "../support/connect.ts"
import { databaseIn, ENGINE } from "../support/database.ts"
import { addAccount, addApp, switchBudgetOff } from "../support/seed.ts"
import { until } from "../support/until.ts"
import { environmentWith, latchkey, newDirectory, SpawnedServer } from "../support/spawn.ts"

if (ENGINE === "sqlite")
  test("A second server on the same data is refused with the reason, and the first one goes on", async (t) => {
    const dir = newDirectory(t)
    const server = await SpawnedServer.start(t, dir)
    const second = await latchkey(["serve", "--data", dir, "--port", "0", "--json"])
    assert.equal(second.code, 1)
    assert.equal(second.stdout, "")
    assert.match(second.stderr, /another server runs on/)
    assert.ok(second.stderr.includes(dir))
    assert.equal((await fetch(`${server.url}/health`)).status, 200)
    assert.deepEqual(await server.stop(), { code: 0, signal: null })
    const next = await SpawnedServer.start(t, dir)
    assert.equal((await fetch(`${next.url}/health`)).status, 200)
  })

test("CLI-1: a port that is taken is refused with the flag that chooses another", async (t) => {
  const server = await SpawnedServer.start(t, newDirectory(t))
  const { port } = new URL(server.url)
  const { code, stderr } = await latchkey(["serve", "--data", newDirectory(t), "--port", port])
  assert.equal(code, 1)
  assert.match(stderr, new RegExp(`listens on port ${port}\\. Choose another port with --port\\.`))
})

test("At SIGTERM, requests in flight are answered and kept, and the exit is 0 within ten seconds", async (t) => {
  const dir = newDirectory(t)
  await addAccount(dir, "alice")
  const app = await addApp(dir, { type: "public" })
  const server = await SpawnedServer.start(t, dir)
  const browser = await signedInBrowser(server, "alice")
  const held = await Promise.all(Array.from({ length: 8 }, () => connectIn(browser, server, app)))
  const inFlight = await Promise.all(
    held.map(({ refresh_token }) => {
      const grant = { ...own(app), grant_type: "refresh_token", refresh_token }
      return acceptedRequest(`${server.url}/oauth/token`, new URLSearchParams(grant).toString())
    }),
  )

  const signaledAt = performance.now()
  server.signal("SIGTERM")
  await untilRefused(server.url)
  const answers = await Promise.all(inFlight.map((send) => send()))
  assert.deepEqual(
    answers.map(({ status }) => status),
    held.map(() => 200),
  )
  assert.deepEqual(await server.exited, { code: 0, signal: null })
  const lasted = performance.now() - signaledAt
  assert.ok(lasted < 10_000, `it took ${lasted} ms`)
  assert.doesNotMatch(server.stderr, /cut off/)

  const next = await SpawnedServer.start(t, dir)
  for (const { body } of answers) {
    const again = await refresh(next, app, String(JSON.parse(body)["refresh_token"]))
    assert.equal(again.status, 200)
  }
})

describe("LOAD-6: signals while a request is in flight", () => {
  const health = (server: SpawnedServer) => acceptedRequest(`${server.url}/oauth/revoke`, "client_id=x")

  for (const [signals, name] of [
    [["SIGTERM", "SIGTERM"], "a second SIGTERM"],
    [["SIGINT", "SIGINT"], "a second SIGINT"],
    [["SIGINT", "SIGTERM"], "a SIGTERM behind a SIGINT"],
  ] as const)
    test(`${name} does not cut its answer off`, async (t) => {
      const server = await SpawnedServer.start(t, newDirectory(t))
      const send = await health(server)
      for (const signal of signals) await signalTaken(server, signal)
      assert.equal((await send()).status, 401)
      assert.deepEqual(await server.exited, { code: 0, signal: null })
      assert.doesNotMatch(server.stderr, /cut off/)
    })

  test("a third one does", async (t) => {
    const server = await SpawnedServer.start(t, newDirectory(t))
    const send = await health(server)
    const signaledAt = performance.now()
    for (let n = 0; n < 3; n++) await signalTaken(server, "SIGTERM")
    assert.deepEqual(await server.exited, { code: 0, signal: null })
    assert.ok(performance.now() - signaledAt < 5_000)
    await assert.rejects(send())
    assert.match(server.stderr, /cut off/)
  })

  test("a Ctrl-C under npm, which passes on what the service gets as well, does not", async (t) => {
    const dir = newDirectory(t)
    const { environment } = await databaseIn(dir)
    const root = join(import.meta.dirname, "../..")
    const npm = spawn("npm", ["start", "--silent", "--", "--data", dir, "--port", "0", "--json"], {
      cwd: root,
      env: environmentWith(environment),
      // The process gets its own group, because a terminal sends Ctrl-C to all processes of a group.
      detached: true,
    })
    const group = -(npm.pid as number)
    t.after(() => isAlive(group) && process.kill(group, "SIGKILL"))
    const closed = once(npm, "close")
    let log = ""
    npm.stderr.on("data", (part) => (log += String(part)))
    const [line] = (await once(npm.stdout, "data")) as [Buffer]
    const { base_url: url } = JSON.parse(String(line)) as { base_url: string }
    const send = await acceptedRequest(`${url}/oauth/revoke`, "client_id=x")
    process.kill(group, "SIGINT")
    await untilRefused(url)
    assert.equal((await send()).status, 401)
    await closed
    assert.doesNotMatch(log, /cut off/)
  })
})

function isAlive(group: number): boolean {
  try {
    return process.kill(group, 0)
  } catch {
    return false
  }
}

/** Sends a signal after the previous one has arrived. The system merges equal signals that arrive together. */
async function signalTaken(server: SpawnedServer, signal: "SIGTERM" | "SIGINT"): Promise<void> {
  const count = server.stderr.split('"signal":').length
  server.signal(signal)
  await until(() => server.stderr.split('"signal":').length > count, `a ${signal} in the log`)
}

test("CODE-3: of a hundred exchanges of one code at once, one gets tokens, and the credential ends revoked", async (t) => {
  const dir = newDirectory(t)
  await addAccount(dir, "alice")
  await switchBudgetOff(dir)
  const app = await addApp(dir, { type: "public" })
  const server = await SpawnedServer.start(t, dir)
  const { verifier, challenge } = newVerifier()
  const code = await codeFor(await signedInBrowser(server, "alice"), app, challenge)
  const answers = await Promise.all(Array.from({ length: 100 }, () => exchange(server, app, code, verifier)))
  const won = answers.filter(({ status }) => status === 200)
  assert.equal(won.length, 1)
  const lost = answers.filter(({ status, body }) => status === 400 && body["error"] === "invalid_grant")
  assert.equal(lost.length, 99)
  const after = await refresh(server, app, String(won[0]?.body["refresh_token"]))
  assert.equal(after.body["error"], "invalid_grant")
})

/** The connections of this agent stay open until the server closes them. */
const lasting = new Agent({ keepAlive: true })

type Answer = { readonly status: number; readonly body: string }

/**
 * Sends a POST whose head the server has already read, as its 100 response says (RFC 9110 §10.1.1). Calling the
 * returned function sends the body.
 */
async function acceptedRequest(url: string, body: string): Promise<() => Promise<Answer>> {
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "content-length": Buffer.byteLength(body),
    expect: "100-continue",
  }
  const sent = request(url, { method: "POST", headers, agent: lasting })
  const answered = once(sent, "response")
  // If the connection is cut off, the caller notices it when it awaits the response.
  answered.catch(() => undefined)
  sent.flushHeaders()
  await once(sent, "continue")
  return async () => {
    sent.end(body)
    const [response] = await answered
    let text = ""
    for await (const part of response) text += String(part)
    return { status: response.statusCode, body: text }
  }
}

/** Sends requests until the port is closed. Fails after the longest time that a shutdown may take. */
async function untilRefused(url: string): Promise<void> {
  const givesUpAt = performance.now() + 10_000
  while (performance.now() < givesUpAt) {
    const refused = await fetch(`${url}/health`, { headers: { connection: "close" } }).then(
      () => false,
      () => true,
    )
    if (refused) return
  }
  throw new Error("the server still takes connections")
}
