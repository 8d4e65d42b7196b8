/** Tests several requests on one connection, and connections that end before a request does. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { once } from "node:events"
import { connect, createServer, type AddressInfo, type Socket } from "node:net"
import { answerClientError } from "../../../../src/platform/http/client-error.ts"
import { fixture } from "../../../support/fixture.ts"
import { recordLog } from "../../../support/record-log.ts"
import { TestServer } from "../../../support/test-server.ts"
import { open, readAll, sendRaw } from "../raw.ts"

const { testServer } = await fixture()

const HOST = "Host: localhost"
const CLOSE = "Connection: close"
const FORM = "Content-Type: application/x-www-form-urlencoded"
const CHUNKED = "Transfer-Encoding: chunked"

function request(line: string, headers: readonly string[] = [], body = ""): string {
  return `${[`${line} HTTP/1.1`, HOST, ...headers].join("\r\n")}\r\n\r\n${body}`
}

/** Returns everything that the other side sends until it closes the connection. */
async function received(socket: Socket): Promise<string> {
  let text = ""
  socket.on("data", (chunk) => (text += String(chunk)))
  await once(socket, "close")
  return text
}

async function statusesOf(sent: string): Promise<readonly number[]> {
  const socket = open(testServer.url)
  socket.write(sent)
  return [...(await received(socket)).matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))
}

describe("ERR-4: answers come in the order of their requests, and none in the place of another", () => {
  const health = request("GET /health")
  const last = request("GET /health", [CLOSE])
  const revoke = request("POST /oauth/revoke", [FORM, "Content-Length: 11"], "client_id=x")
  const sequences: Record<string, [sent: string, statuses: number[]]> = {
    "what is no HTTP": [`${health}NONSENSE\r\n\r\n`, [200, 400]],
    "what is no HTTP, behind two that ask the database": [
      `${revoke}${health}NONSENSE\r\n\r\n`,
      [401, 200, 400],
    ],
    "what follows the last": [health + last + health, [200, 200]],
    "a tunnel, behind one that asks the database": [
      `${revoke}CONNECT localhost:80 HTTP/1.1\r\n${HOST}\r\n\r\n${health}`,
      [401, 400],
    ],
    "a tunnel": [`CONNECT /health HTTP/1.1\r\n${HOST}\r\nContent-Length: 5\r\n\r\nab=cd`, [400]],
    "an expectation of something else": [
      request("GET /health", ["Expect: 200-ok"]) + request("POST /oauth/revoke", [FORM, "Expect: x", CLOSE]),
      [200, 400],
    ],
    "a body in broken chunks": [health + request("POST /oauth/token", [FORM, CHUNKED], "zz\r\n"), [200, 400]],
    "a body in broken chunks that is not read": [request("GET /health", [CHUNKED], "zz\r\n"), [200]],
    "what follows a body that is too large": [
      health + request("POST /oauth/token", [FORM, "Content-Length: 70000"], "a".repeat(70_000)) + health,
      [200, 400],
    ],
  }
  for (const [name, [sent, statuses]] of Object.entries(sequences)) {
    test(name, async () => assert.deepEqual(await statusesOf(sent), statuses))
  }

  const breaks: Record<string, string> = {
    "what is no HTTP": "NONSENSE\r\n\r\n",
    "broken chunks of a body that is waited for": request("POST /oauth/token", [FORM, CHUNKED], "zz\r\n"),
    "broken chunks of a body that is not read": request("GET /health", [CHUNKED], "zz\r\n"),
  }
  for (const [name, broken] of Object.entries(breaks))
    test(`${name}: a client that reads late, and has more to send, misses no earlier answer`, async (t) => {
      // The test controls the delay. The service waits two seconds, which may not be enough on a busy machine.
      t.mock.timers.enable({ apis: ["setTimeout"] })
      const answers = 16
      const socket = open(testServer.url)
      await once(socket, "connect")
      socket.pause()
      const written = request("GET /api/openapi.json").repeat(answers) + broken
      await new Promise((resolve) => socket.write(written, resolve))
      // The service has responded to all of the request, and more bytes have arrived since then.
      for (let i = 0; i < 20; i++) {
        await fetch(`${testServer.url}/health`).then((answer) => answer.text())
        socket.write("more\r\n")
      }
      t.mock.timers.tick(1_000)
      const all = received(socket)
      socket.resume()
      const text = await all
      assert.equal(text.split("HTTP/1.1 200 ").length - 1, answers + (name.endsWith("is not read") ? 1 : 0))
      assert.ok(text.length > 2 ** 18, "it fits into what the system keeps for a reader")
    })

  test("an expectation of 100 Continue behind another request does not break up its answer", async () => {
    const socket = open(testServer.url)
    const expecting = request(
      "GET /api/openapi.json",
      ["Expect: 100-continue", "Content-Length: 1", CLOSE],
      "a",
    )
    socket.write(revoke + expecting)
    const text = await received(socket)
    const answer = text.slice(text.indexOf("HTTP/1.1 200 "))
    assert.doesNotThrow(() => JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))), answer.slice(0, 999))
  })

  test("an answer before the end of its body reaches a client that reads late and has sent more requests", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] })
    const socket = open(testServer.url)
    await once(socket, "connect")
    socket.write(
      request("GET /api/openapi.json").repeat(8) + request("GET /api/openapi.json", [CHUNKED], "1\r\na\r\n"),
    )
    await once(socket, "readable")
    // The body is complete after the first piece. The service closes the connection while more bytes arrive.
    const more = request("POST /oauth/token", [FORM, "Content-Length: 60000"], "a".repeat(60_000))
    socket.write(`0\r\n\r\n${more.repeat(30)}`)
    for (let i = 0; i < 20; i++) await fetch(`${testServer.url}/health`).then((answer) => answer.text())
    const all = received(socket)
    t.mock.timers.tick(1_000)
    const text = await all
    assert.equal(text.split("HTTP/1.1 200 ").length - 1, 9)
    assert.ok(text.trimEnd().endsWith("}"), text.slice(-99))
    t.mock.timers.tick(2_000)
  })

  test("one that asks for a tunnel and disconnects does not end others", async () => {
    const tunnel = `CONNECT localhost:80 HTTP/1.1\r\n${HOST}\r\n\r\n`
    for (const sent of [tunnel, revoke + tunnel, revoke + revoke + tunnel]) {
      for (let n = 0; n < 20; n++) {
        const socket = open(testServer.url)
        await once(socket, "connect")
        socket.write(sent)
        if (n % 2 === 0) await new Promise((resolve) => setTimeout(resolve, n % 4))
        socket.resetAndDestroy()
      }
    }
    // An unhandled error would end the process and so fail this test.
    assert.deepEqual(await statusesOf(last), [200])
  })

  test("a body that breaks off gets an error in the format of its endpoint", async () => {
    const broken = (path: string) =>
      sendRaw(testServer.url, [`POST ${path} HTTP/1.1`, HOST, FORM, CHUNKED], "5\r\nab=cd\r\nzz\r\n")
    const api = await broken("/api/apps")
    assert.deepEqual(
      [api.status, (JSON.parse(api.body) as { error: { status: string } }).error.status],
      [400, "INVALID_ARGUMENT"],
    )
    const oauth = await broken("/oauth/token")
    assert.deepEqual(
      [oauth.status, (JSON.parse(oauth.body) as { error: string }).error],
      [400, "invalid_request"],
    )
    assert.equal(oauth.headers.get("access-control-allow-origin"), "*")
    const page = await broken("/sign-in")
    assert.equal(page.status, 400)
    assert.match(page.body, /This form could not be read/)
  })

  test("what breaks after its answer gets no second one", async () => {
    const socket = open(testServer.url)
    const all = received(socket)
    socket.write(request("GET /health", [CHUNKED]))
    await once(socket, "data")
    socket.write("zz\r\n")
    assert.equal((await all).match(/HTTP\/1\.1/g)?.length, 1)
  })

  test("a connection without a request gets no answer when its time is up", async () => {
    const server = createServer((socket) =>
      answerClientError({ name: "", message: "", code: "ERR_HTTP_REQUEST_TIMEOUT" }, socket, null, () =>
        assert.fail(),
      ),
    ).listen(0, "127.0.0.1")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    assert.equal(await received(connect({ host: "127.0.0.1", port })), "")
    server.close()
  })
})

describe("ERR-4: an answer to what is not read whole is not lost", () => {
  const early: Record<string, [line: string, headers: string[], status: number]> = {
    "a body that is too large": ["POST /oauth/token", [], 400],
    "a wrong method, the last on its connection": ["PUT /oauth/token", [CLOSE], 405],
    "an unknown address, the last on its connection": ["POST /oauth/nothing", [CLOSE], 404],
  }
  for (const [name, [line, headers, status]] of Object.entries(early)) {
    test(`${name}: the rest may still come`, async () => {
      const length = 1024 * 1024
      const socket = open(testServer.url)
      let error: Error | null = null
      socket.on("error", (fault) => (error = fault))
      const answer = readAll(socket)
      socket.write(request(line, [FORM, ...headers, `Content-Length: ${length}`]))
      await once(socket, "data")
      socket.write(Buffer.alloc(length))
      const { status: seen, headers: responseHeaders } = await answer
      assert.deepEqual([seen, responseHeaders.get("connection"), error], [status, "close", null])
    })
  }
})

describe("SVC-1: the absolute form of an address", () => {
  const targets: Record<string, [status: number, location: string | null]> = {
    "http://localhost/health": [200, null],
    "HTTP://LOCALHOST/health?x": [200, null],
    "http://localhost": [303, "/account"],
    "http://localhost?next=http://x/health": [303, "/account"],
    "http:///health": [404, null],
    "http://localhost//health": [404, null],
  }
  for (const [target, [status, location]] of Object.entries(targets)) {
    test(target, async () => {
      const answer = await sendRaw(testServer.url, [`GET ${target} HTTP/1.1`, HOST, CLOSE])
      assert.deepEqual([answer.status, answer.headers.get("location")], [status, location])
    })
  }
})

test("ERR-4: how many refusals have no line of their own is logged at the end, too", async () => {
  const { log, lines } = recordLog()
  const noisy = await TestServer.open({ log })
  const asked = request("POST /oauth/token", [FORM, "Content-Length: 0"])
  const socket = open(noisy.url)
  const all = received(socket)
  socket.write(asked.repeat(29) + request("POST /oauth/token", [FORM, CLOSE, "Content-Length: 0"]))
  assert.equal((await all).match(/HTTP\/1\.1 400/g)?.length, 30)
  await noisy.close()
  const logged = lines.map((line) => JSON.stringify(line))
  assert.equal(logged.filter((line) => line.includes('"refused"')).length, 20)
  assert.ok(
    logged.some((line) => line.includes('"more":10')),
    logged.join(""),
  )
})

test("SVC-1: a service that stops says so in its last answers, and does not wait for idle connections", async () => {
  const stopping = await TestServer.open()
  const silent = open(stopping.url)
  const responseHeaders = received(silent)
  await once(silent, "connect")
  const slow = open(stopping.url)
  const answer = readAll(slow)
  slow.write(request("POST /oauth/token", [FORM, "Expect: 100-continue", "Content-Length: 11"]))
  await once(slow, "data")
  const stopped = stopping.close()
  assert.equal(await responseHeaders, "")
  slow.write("client_id=x")
  const { status, headers } = await answer
  assert.deepEqual([status, headers.get("connection")], [401, "close"])
  await stopped
})
