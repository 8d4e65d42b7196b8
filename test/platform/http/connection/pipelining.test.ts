/** Tests requests that are sent ahead on one connection: how many are in flight, and what happens to the others. */
import { after, before, describe, test } from "node:test"
import assert from "node:assert/strict"
import { once } from "node:events"
import type { Socket } from "node:net"
import { trustedRanges } from "../../../../src/platform/http/connection/client-address.ts"
import type { Endpoint } from "../../../../src/platform/http/endpoint.ts"
import type { HttpReply } from "../../../../src/platform/http/connection/message.ts"
import { HttpServer } from "../../../../src/platform/http/server.ts"
import { httpContextOf } from "../../../../src/platform/http/http-context.ts"
import { reservePort } from "../../../../src/platform/http/connection/reserved-port.ts"
import { open, readAll } from "../raw.ts"
import { fixture } from "../../../support/fixture.ts"

const IN_FLIGHT = 32
const LARGE = "l".repeat(1024 * 1024)

/** A server whose endpoints respond when the test tells them to. */
let server: HttpServer
let url: string
/** The requests that wait for `release`. */
let begun: (() => void)[] = []
let inFlight = 0
let most = 0

const slow: Endpoint = (_, request, reply) => {
  most = Math.max(most, ++inFlight)
  reply.raw.prependOnceListener("finish", () => inFlight--)
  begun.push(() => reply.send(`${String(request.params["n"])}${String(request.body ?? "")}`))
  return reply
}
const closing: Endpoint = (_, __, reply) => {
  reply.closes = true
  begun.push(() => reply.send("closed"))
  return reply
}
const large: Endpoint = (_, __, reply): HttpReply => {
  begun.push(() => undefined)
  return reply.send(LARGE)
}

const { testServer } = await fixture()

async function serve(): Promise<void> {
  server = new HttpServer(httpContextOf(testServer.latchkey, trustedRanges([])))
  const route = { family: "oauth", hasCors: false, isRateLimited: false } as const
  server.routes.add({ ...route, path: "/slow/:n", get: slow, post: slow })
  server.routes.add({ ...route, path: "/large", get: large })
  server.routes.add({ ...route, path: "/closing", get: closing })
  const { port, handle } = await reservePort("127.0.0.1")
  await server.listen(handle)
  url = `http://127.0.0.1:${port}`
  begun = []
  inFlight = 0
  most = 0
}

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
}

function post(path: string, body: string): string {
  const type = "Content-Type: application/x-www-form-urlencoded"
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

type Answers = { readonly statuses: string[]; readonly bodies: string[]; readonly lastClosed: boolean[] }

function parsed(text: string): Answers {
  const answers = text.split(/(?=HTTP\/1\.1 \d)/).filter((answer) => answer !== "")
  return {
    statuses: answers.map((answer) => answer.slice(9, 12)),
    bodies: answers.map((answer) => answer.slice(answer.indexOf("\r\n\r\n") + 4)),
    lastClosed: answers.map((answer) => /\r\nconnection: close\r\n/i.test(answer)),
  }
}

/** Returns the responses until the server closes the connection. */
async function untilClosed(socket: Socket): Promise<Answers> {
  let text = ""
  socket.on("data", (chunk) => (text += String(chunk)))
  await once(socket, "close")
  return parsed(text)
}

async function untilTrue(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve))
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}

describe("LOAD-2: more requests in one read than may be in flight", () => {
  const kinds: Record<string, (n: number) => string> = {
    "answered at once": () => get("/health"),
    "answered by the database": () => post("/oauth/revoke", "client_id=x"),
    "answered with pages": () => get("/sign-in"),
    "of all kinds": (n) =>
      [get("/health"), post("/oauth/revoke", "client_id=x"), get("/nothing")][n % 3] as string,
  }
  for (const [name, requestOf] of Object.entries(kinds))
    for (const count of [33, 64, 300])
      test(`${count} ${name}: the 32nd is the last, says so, and the connection is closed`, async () => {
        const socket = open(testServer.url)
        await once(socket, "connect")
        const answers = untilClosed(socket)
        socket.write(Array.from({ length: count }, (_, n) => requestOf(n)).join(""))
        const { statuses, lastClosed } = await answers
        assert.equal(statuses.length, IN_FLIGHT)
        assert.deepEqual(lastClosed, [...Array.from({ length: IN_FLIGHT - 1 }, () => false), true])
      })

  test("exactly 32 are answered, and the connection stays open for more", async () => {
    const socket = open(testServer.url)
    await once(socket, "connect")
    let text = ""
    socket.on("data", (chunk) => (text += String(chunk)))
    for (const round of [1, 2, 3]) {
      socket.write(get("/health").repeat(IN_FLIGHT))
      await untilTrue(() => parsed(text).statuses.length === round * IN_FLIGHT)
    }
    assert.ok(parsed(text).lastClosed.every((closes) => !closes))
    socket.destroy()
  })
})

describe("LOAD-2: requests that come while others are answered", () => {
  before(serve)
  after(() => server.close())

  test("32 are in flight, the rest is not read, and all are answered in their order", async () => {
    const socket = open(url)
    socket.setNoDelay(true)
    let text = ""
    socket.on("data", (chunk) => (text += String(chunk)))
    await once(socket, "connect")
    const count = 60
    for (let n = 0; n < count; n++) {
      socket.write(n % 2 === 0 ? get(`/slow/${n}`) : post(`/slow/${n}`, `:${"b".repeat(n * 10)}`))
      await turns(4)
    }
    await untilTrue(() => begun.length >= IN_FLIGHT)
    await turns(20)
    assert.equal(begun.length, IN_FLIGHT)
    while (parsed(text).statuses.length < count) {
      for (const release of begun.splice(0)) release()
      await turns(1)
    }
    assert.equal(most, IN_FLIGHT)
    assert.deepEqual(
      parsed(text).bodies,
      Array.from({ length: count }, (_, n) => (n % 2 === 0 ? `${n}` : `${n}:${"b".repeat(n * 10)}`)),
    )
    socket.destroy()
  })

  test("a body that comes late arrives, also that of the last request in flight", async () => {
    const socket = open(url)
    let text = ""
    socket.on("data", (chunk) => (text += String(chunk)))
    await once(socket, "connect")
    const body = "b".repeat(60_000)
    const last = post("/slow/32", body)
    socket.write(Array.from({ length: 31 }, (_, n) => get(`/slow/${n}`)).join("") + last.slice(0, -59_000))
    await untilTrue(() => begun.length === 31)
    socket.write(last.slice(-59_000) + get("/slow/33"))
    await untilTrue(() => begun.length === IN_FLIGHT)
    while (parsed(text).statuses.length < 33) {
      for (const release of begun.splice(0)) release()
      await turns(1)
    }
    assert.equal(parsed(text).bodies[31], `32${body}`)
    socket.destroy()
  })

  test("what waits behind an answer that closes the connection does not begin", async () => {
    begun = []
    const socket = open(url)
    await once(socket, "connect")
    const answers = untilClosed(socket)
    socket.write(get("/closing") + get("/slow/1").repeat(30))
    await untilTrue(() => begun.length === 31)
    socket.write(get("/slow/2").repeat(5))
    await untilTrue(() => begun.length === IN_FLIGHT)
    begun[0]?.()
    assert.deepEqual((await answers).bodies, ["closed"])
    assert.equal(begun.length, IN_FLIGHT)
  })

  test("what is malformed behind an answer that closes the connection takes nothing from the answer", async () => {
    const withBody = (head: string, body: string) => `GET ${head}\r\nHost: x\r\n\r\n${body}`
    const socket = open(testServer.url)
    const answer = readAll(socket)
    socket.write(
      // The service reads no body of a GET, so this answer closes the connection.
      withBody("/api/openapi.json HTTP/1.1\r\nTransfer-Encoding: chunked", "7\r\nlimit=3\r\n0\r\n\r\n") +
        withBody("/health HTTP/1.1\r\nContent-Length: 2", "ok") +
        `__proto__ / HTTP/1.1\r\nHost: x\r\n\r\n${"x".repeat(65_537)}`,
    )
    const { headers, body } = await answer
    assert.equal(headers.get("connection"), "close")
    assert.equal(Buffer.byteLength(body), Number(headers.get("content-length")))
  })

  test("of a client that does not read, no more begin than its unread answers have room for", async () => {
    begun = []
    const socket = open(url)
    await once(socket, "connect")
    socket.pause()
    socket.write(get("/large").repeat(30))
    await untilTrue(() => begun.length > 0)
    await turns(200)
    assert.ok(begun.length < 20, `${begun.length} have begun`)
    let length = 0
    socket.on("data", (chunk: Buffer) => (length += chunk.length)).resume()
    await untilTrue(() => length > 30 * LARGE.length)
    socket.destroy()
  })
})

describe("LOAD-2: a client that takes nothing of its answers", () => {
  const CHECK_MS = 15_000

  test("is disconnected after a minute, whatever it sends; one that reads is not", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] })
    await serve()
    const silent = open(url)
    const reading = open(url)
    const idle = open(url)
    for (const socket of [silent, reading, idle]) {
      await once(socket, "connect")
      socket.pause()
    }
    silent.on("error", () => undefined)
    let taken = 0
    for (const socket of [silent, reading]) socket.write(get("/large").repeat(30))
    await untilTrue(() => begun.length >= 2)
    await turns(100)
    const closed: string[] = []
    for (const [name, socket] of Object.entries({ silent, reading, idle }))
      socket.on("close", () => closed.push(name))
    for (let check = 0; check < 5; check++) {
      t.mock.timers.tick(CHECK_MS)
      // A part of the next request is activity on the socket, but no progress for its responses.
      silent.write(check === 0 ? "GET /slow/1 HTTP/1.1\r\nX: " : "x")
      await turns(20)
      assert.deepEqual(closed, [])
      const takenBefore = taken
      reading.on("data", (chunk: Buffer) => (taken += chunk.length)).resume()
      await untilTrue(() => taken > takenBefore + 2 * LARGE.length)
      reading.pause()
      if (check === 3) break
    }
    t.mock.timers.tick(CHECK_MS)
    // This client does not read, so only writing shows that the connection is closed.
    await untilTrue(() => closed.length > 0 || (silent.write("x"), false))
    assert.deepEqual(closed, ["silent"])
    reading.destroy()
    idle.destroy()
    await server.close()
  })
})
