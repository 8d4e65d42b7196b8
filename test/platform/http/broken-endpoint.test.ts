/**
 * Tests what a bug in an endpoint does. Before the first byte, it causes an error response. After that, it only ends
 * the connection.
 */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { Readable } from "node:stream"
import { trustedRanges } from "../../../src/platform/http/connection/client-address.ts"
import type { Endpoint } from "../../../src/platform/http/endpoint.ts"
import { sendJson } from "../../../src/platform/http/respond.ts"
import { HttpServer } from "../../../src/platform/http/server.ts"
import { httpContextOf } from "../../../src/platform/http/http-context.ts"
import { sendRaw } from "./raw.ts"
import { fixture } from "../../support/fixture.ts"
import { freePort } from "../../support/free-port.ts"
import { wholeFile } from "../../support/spawn.ts"

let runs = 0

const fault = () => new Error("a bug")
const endpoints: Record<string, Endpoint> = {
  throws: () => {
    throw fault()
  },
  rejects: async () => Promise.reject(fault()),
  "sets-what-is-no-header": (_, __, reply) => reply.header("location", "/\u20ac\r\nx: y").send("text"),
  "caches-and-throws": (_, __, reply) => {
    reply.header("cache-control", "public").header("set-cookie", "a=b").header("etag", '"x"')
    throw fault()
  },
  "answers-and-throws": (_, __, reply) => {
    sendJson(reply, 200, {})
    throw fault()
  },
  "answers-and-rejects": async (_, __, reply) => {
    sendJson(reply, 200, {})
    await Promise.resolve()
    throw fault()
  },
  "answers-twice": (_, __, reply) => {
    sendJson(reply, 200, {})
    return sendJson(reply, 201, {})
  },
  "breaks-in-a-stream": (_, __, reply) => {
    const pieces = function* () {
      yield "half"
      throw fault()
    }
    return reply.header("content-type", "text/plain").send(Readable.from(pieces()))
  },
  works: (_, request, reply) => {
    runs++
    return sendJson(reply, 200, { milliseconds: request.raw.socket.timeout ?? 0 })
  },
}

const file = wholeFile()
const { testServer } = await fixture({ span: file })
const server = new HttpServer(httpContextOf(testServer.latchkey, trustedRanges([])))
for (const [name, endpoint] of Object.entries(endpoints)) {
  const methods = { get: endpoint, post: endpoint }
  server.routes.add({
    path: `/oauth/${name}`,
    family: "oauth",
    hasCors: true,
    isRateLimited: false,
    ...methods,
  })
}
const port = await freePort()
await server.listen({ host: "127.0.0.1", port })
const url = `http://127.0.0.1:${port}`
file.after(() => server.close())

describe("ERR-10: a bug before the answer is answered as a fault", () => {
  for (const name of ["throws", "rejects", "sets-what-is-no-header", "caches-and-throws"]) {
    for (const method of ["GET", "POST"]) {
      test(`${method} ${name}`, async () => {
        const answer = await fetch(`${url}/oauth/${name}`, { method })
        const body = (await answer.json()) as Record<string, unknown>
        assert.deepEqual(
          [answer.status, body["error"], body["request_id"]],
          [500, "server_error", answer.headers.get("x-request-id")],
        )
        assert.equal(answer.headers.get("access-control-allow-origin"), "*")
        assert.equal(answer.headers.get("cache-control"), "no-store")
        for (const header of ["location", "etag", "set-cookie"])
          assert.equal(answer.headers.get(header), null)
      })
    }
  }
})

describe("ERR-10: a bug after the answer ends at most its connection", () => {
  for (const name of ["answers-and-throws", "answers-and-rejects", "answers-twice", "breaks-in-a-stream"]) {
    test(name, async () => {
      const { status } = await sendRaw(url, [`GET /oauth/${name} HTTP/1.1`, "Host: x", "Connection: close"])
      assert.ok([0, 200].includes(status), String(status))
      assert.equal((await fetch(`${url}/oauth/works`)).status, 200)
    })
  }
})

test("ERR-4: what is sent on behind a request whose answer closes the connection is not done", async () => {
  runs = 0
  const large = "POST /oauth/works HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n" + "a".repeat(70_000)
  const { status } = await sendRaw(url, [`${large}GET /oauth/works HTTP/1.1`, "Host: x"])
  assert.deepEqual([status, runs], [413, 0])
})

test("ERR-4: a connection that takes nothing more of an answer does not stay for ever", async () => {
  const { milliseconds } = (await (await fetch(`${url}/oauth/works`)).json()) as { milliseconds: number }
  assert.ok(milliseconds >= 60_000 && milliseconds <= 300_000, String(milliseconds))
})
