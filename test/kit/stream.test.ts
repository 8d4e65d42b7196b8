/** Tests the service's side of the event stream: GET /oauth/introspect/stream. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { connect as connectTo } from "node:net"
import { decided } from "../../src/model/change.rules.ts"
import type { ClientId, UserId } from "../../src/kernel/ids.ts"
import { setAccountEnabled } from "../../src/accounts/accounts.ts"
import { rotateAppSecret, setAppEnabled, updateApp } from "../../src/apps/app.ts"
import { STREAMS_AT_MOST } from "../../src/platform/services/invalidation-feed.ts"
import { fixture } from "../support/fixture.ts"
import type { TestApp } from "../support/test-server.ts"
import { connect, send } from "../support/connect.ts"
import { SpawnedServer, newDirectory } from "../support/spawn.ts"
import { addResourceServer } from "../support/seed.ts"
import { assertRefused } from "../support/answers.ts"
import { until } from "../support/until.ts"
import { untilInEffect } from "./in-effect.ts"
import { withdrawKey } from "../oauth/jwt/jwt-service.ts"
import { basic, Reader } from "./reader.ts"
import { OPERATOR } from "../support/test-server.ts"

const STREAM = "/oauth/introspect/stream"

const {
  testServer,
  userIds: { bob: bobId },
  app,
} = await fixture({ accounts: ["bob"], apps: { app: {} } })
const server = await newServer()

function newServer(): Promise<TestApp> {
  return testServer.addApp({ type: "confidential", resourceServer: true, permissions: [], redirectUris: [] })
}

async function reading(lastEventId?: string, who = server): Promise<Reader> {
  const reader = await Reader.open(testServer.url, who, lastEventId)
  assert.equal(reader.response.statusCode, 200)
  return reader
}

async function toggle(): Promise<void> {
  await setAccountEnabled(testServer.latchkey, "bob", false, OPERATOR)
  await setAccountEnabled(testServer.latchkey, "bob", true, OPERATOR)
}

describe("INTRO-3: who may listen", () => {
  async function answerTo(authorization: string | null) {
    const headers = authorization === null ? {} : { authorization }
    const response = await fetch(testServer.url + STREAM, { headers })
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    }
  }

  test("no client without valid credentials", async () => {
    assertRefused(await answerTo(null), 400, "invalid_request")
    assertRefused(await answerTo(basic({ ...server, secret: "wrong" })), 401, "invalid_client")
    // A scheme other than Basic is not client authentication. TOKEN-9.
    assertRefused(await answerTo(`Bearer ${server.secret}`), 400, "invalid_request")
  })

  test("no app that is no resource server", async () => {
    const plain = await testServer.addApp({ type: "confidential" })
    assertRefused(await answerTo(basic(plain)), 403, "unauthorized_client")
    assertRefused(await answerTo(basic({ clientId: app.clientId, secret: "" })), 401, "invalid_client")
  })

  test("only by GET; HEAD says what GET would", async () => {
    const authorization = basic(server)
    const post = await fetch(testServer.url + STREAM, { method: "POST", headers: { authorization } })
    assert.equal(post.status, 405)
    await post.body?.cancel()
    const head = await fetch(testServer.url + STREAM, { method: "HEAD", headers: { authorization } })
    assert.equal(head.status, 200)
    assert.equal(head.headers.get("content-type"), "text/event-stream")
  })

  test("as many streams of one app as there is room for, and again once one has ended", async () => {
    const greedy = await newServer()
    const readers = await Promise.all(
      Array.from({ length: STREAMS_AT_MOST }, () => reading(undefined, greedy)),
    )
    await Promise.all(readers.map((reader) => reader.event("ready")))
    const answer = await answerTo(basic(greedy))
    assertRefused(answer, 429, "slow_down")
    assert.equal(answer.headers.get("retry-after"), "10")
    const other = await reading()
    await other.event("ready")
    other.close()
    readers[0]?.close()
    await until(() => testServer.latchkey.feed.hasRoomFor(greedy.client.clientId), "there is room")
    const next = await reading(undefined, greedy)
    await next.event("ready")
    for (const reader of [...readers, next]) reader.close()
  })
})

describe("what is sent", () => {
  test("INTRO-4: ready at once, then whose checks are stale, each with the next id", async () => {
    const reader = await reading()
    assert.match(reader.response.headers["content-type"] ?? "", /^text\/event-stream/)
    assert.equal(reader.response.headers["cache-control"], "no-store")
    const ready = await reader.event("ready")
    const held = await connect(testServer, app, "bob")
    await send(testServer, "/oauth/revoke", { token: held.access_token, client_id: app.clientId })
    const credential = await reader.event("credential")
    assert.deepEqual(JSON.parse(credential.data), { token_id: held.token_id })
    await toggle()
    await updateApp(testServer.latchkey, app.clientId, { removePermissions: ["files:write"] }, OPERATOR)
    const [account, client] = [await reader.event("account", 2), await reader.event("client")]
    assert.deepEqual(JSON.parse(account.data), { user_id: bobId })
    assert.deepEqual(JSON.parse(client.data), { client_id: app.clientId })
    const ids = reader.events.map(({ id }) => Number(id))
    assert.ok(ids[0] === Number(ready.id) && ids.every((id, i) => i === 0 || id > (ids[i - 1] ?? 0)))
    assert.doesNotMatch(reader.text, /lk[acdrs]_/)
    reader.close()
  })

  test("INTRO-4: after Last-Event-ID first what was missed, then ready", async () => {
    const first = await reading()
    const { id } = await first.event("ready")
    first.close()
    await toggle()
    const again = await reading(id ?? "")
    await again.event("ready")
    assert.deepEqual(again.names, ["account", "account", "ready"])
    assert.equal(Number(again.events.at(-1)?.id), Number(id) + 2)
    again.close()
  })

  test("INTRO-4: nothing is sent twice to one that missed nothing", async () => {
    const first = await reading()
    await toggle()
    const { id } = await first.event("account", 2)
    first.close()
    const again = await reading(id ?? "")
    await again.event("ready")
    assert.deepEqual(again.names, ["ready"])
    again.close()
  })

  test("SIGN-4: reset when a key is withdrawn, also to one that comes back, and then only what is new", async () => {
    await withdrawKey(testServer, "ES256")
    const reader = await reading()
    const { id } = await reader.event("ready")
    // This time, there is a key to withdraw.
    await withdrawKey(testServer, "ES256")
    const reset = await reader.event("reset")
    reader.close()
    const old = await reading(id ?? "")
    await old.event("ready")
    assert.deepEqual(old.names, ["reset", "ready"])
    await toggle()
    await old.event("account", 2)
    old.close()
    const recent = await reading(reset.id ?? "")
    await recent.event("ready")
    assert.deepEqual(recent.names, ["account", "account", "ready"])
    recent.close()
  })

  test("more than is read at a time, to those who come while it goes on and after", async () => {
    const first = await reading()
    const { id } = await first.event("ready")
    const many = 1300
    const changes = Array.from({ length: many }, (_, i) => ({
      change: "clientRemoved" as const,
      clientId: `0000000000000000000000${String(i).padStart(4, "0")}` as ClientId,
    }))
    const written = testServer.store.change({}, () => decided(null, ...changes))
    const late = await reading(id ?? "")
    await written
    await Promise.all([first, late].map((reader) => reader.event("client", many)))
    const later = await reading(id ?? "")
    await later.event("ready")
    assert.equal(later.events.length, many + 1)
    for (const reader of [first, late, later]) {
      const ids = reader.events.filter(({ event }) => event === "client").map((event) => Number(event.id))
      assert.deepEqual(
        ids,
        Array.from({ length: many }, (_, i) => Number(id) + 1 + i),
      )
      reader.close()
    }
  })

  test("reset where what was missed is not known any more, or never was", async () => {
    for (const unknown of ["999999999", "not a number", "18446744073709551616"]) {
      const reader = await reading(unknown)
      const ready = await reader.event("ready")
      assert.deepEqual(reader.names, ["reset", "ready"], unknown)
      assert.equal(reader.events[0]?.id, ready.id)
      reader.close()
    }
  })

  test("a comment every ten seconds while nothing happens", async () => {
    const reader = await reading()
    await reader.event("ready")
    testServer.clock.advance(10)
    await until(() => reader.text.includes("\n:\n\n"), "a comment")
    reader.close()
  })
})

describe("a stream ends", () => {
  test("when the app is no resource server any more, is disabled, or has another secret", async () => {
    const ends: ((who: TestApp) => Promise<unknown>)[] = [
      (who) => updateApp(testServer.latchkey, who.clientId, { resourceServer: false }, OPERATOR),
      (who) => setAppEnabled(testServer.latchkey, who.clientId, false, OPERATOR),
      (who) => rotateAppSecret(testServer.latchkey, who.clientId, OPERATOR),
    ]
    for (const end of ends) {
      const who = await newServer()
      const reader = await reading(undefined, who)
      const other = await reading()
      await Promise.all([reader.event("ready"), other.event("ready")])
      await end(who)
      await untilInEffect(() => reader.isOver, "the stream is over")
      assert.ok(!other.isOver)
      other.close()
    }
  })

  test("when its reader does not read", async () => {
    const { port } = new URL(testServer.url)
    const socket = connectTo(Number(port), "127.0.0.1")
    socket.write(`GET ${STREAM} HTTP/1.1\r\nhost: x\r\nauthorization: ${basic(server)}\r\n\r\n`)
    socket.pause()
    let isClosed = false
    socket.on("error", () => {})
    socket.once("close", () => (isClosed = true))
    const quick = await reading()
    await quick.event("ready")
    await until(() => testServer.latchkey.feed.streams === 2, "both are open, and those before are gone")
    const changes = Array.from({ length: 2000 }, (_, i) => ({
      change: "accountRemoved" as const,
      userId: `0000000000000000000000${String(i).padStart(4, "0")}` as UserId,
    }))
    for (let round = 1; round <= 40 && testServer.latchkey.feed.streams > 1; round++) {
      await testServer.store.change({}, () => decided(null, ...changes))
      await quick.event("account", round * changes.length)
    }
    assert.equal(testServer.latchkey.feed.streams, 1, "the slow one is cut off")
    socket.resume()
    await until(() => isClosed, "its connection is closed")
    assert.ok(!quick.isOver)
    quick.close()
  })

  test("when the service ends, which it does not delay", async (t) => {
    const dir = newDirectory(t)
    const own = await addResourceServer(dir)
    const spawned = await SpawnedServer.start(t, dir)
    const reader = await Reader.open(spawned.url, own)
    await reader.event("ready")
    const begun = performance.now()
    const exit = await spawned.stop("SIGTERM")
    assert.deepEqual(exit, { code: 0, signal: null })
    // Open connections are cut off after eight seconds. Nothing waited that long.
    assert.doesNotMatch(spawned.stderr, /cut off/)
    assert.ok(performance.now() - begun < 8000, `it took ${performance.now() - begun} ms`)
    await until(() => reader.isOver, "the stream is over")
  })
})

test("without a stream the database is not polled", async () => {
  await until(() => testServer.latchkey.feed.streams === 0, "every stream has ended")
  // A query that is still running must end first.
  await until(() => !testServer.latchkey.feed.isLooking, "the feed is idle")
  const reader = await reading()
  await reader.event("ready")
  assert.ok(testServer.latchkey.feed.isLooking)
  reader.close()
  await until(() => !testServer.latchkey.feed.isLooking, "it looks no more")
})
