/** The memory for incomplete bodies must be bounded, and released however a body ends. */
import { beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import { once } from "node:events"
import {
  heldBodyBytes,
  holdBytes,
  releaseBytes,
} from "../../../../src/platform/http/connection/held-bodies.ts"
import { HELD_BODY_BYTES_AT_MOST } from "../../../../src/platform/http/connection/limits.ts"
import { fixture } from "../../../support/fixture.ts"
import { until } from "../../../support/until.ts"
import { open, readAll } from "../raw.ts"

const FORM = "Content-Type: application/x-www-form-urlencoded"
const CHUNKED = "Transfer-Encoding: chunked"
const PART = "a".repeat(20_000)
const CHUNK = `${PART.length.toString(16)}\r\n${PART}\r\n`

const { testServer } = await fixture()
beforeEach(() => assert.equal(heldBodyBytes(), 0))

function begun(path: string, headers: readonly string[], body: string) {
  const socket = open(testServer.url)
  socket.on("error", () => undefined)
  socket.write([`POST ${path} HTTP/1.1`, "Host: localhost", FORM, ...headers, "", body].join("\r\n"))
  return socket
}

const length = (bytes: number) => `Content-Length: ${bytes}`
const isHeld = () => until(() => heldBodyBytes() >= PART.length, "the body is held")
const isFree = () => until(() => heldBodyBytes() === 0, "nothing is held")

describe("LOAD-1: a body that is not whole is counted until it ends", () => {
  const ends: Record<string, (socket: ReturnType<typeof open>) => unknown> = {
    whole: (socket) => socket.write("0\r\n\r\n"),
    "broken off": (socket) => socket.destroy(),
    reset: (socket) => socket.resetAndDestroy(),
    "half closed": (socket) => socket.end(),
    "in broken chunks": (socket) => socket.write("zz\r\n"),
    "too large": (socket) => socket.write(CHUNK.repeat(4)),
  }
  for (const [name, end] of Object.entries(ends))
    for (const path of ["/oauth/token", "/sign-in"])
      test(`${name}: ${path}`, async () => {
        const socket = begun(path, [CHUNKED], CHUNK)
        await isHeld()
        end(socket)
        await isFree()
        socket.destroy()
      })

  for (const line of ["GET /health", "POST /nothing", "POST /health", "POST /oauth/introspect"])
    test(`${line}, whole at once, with others behind it`, async () => {
      const one = [`${line} HTTP/1.1`, "Host: localhost", FORM, length(PART.length), "", PART].join("\r\n")
      const socket = open(testServer.url)
      socket.end(one.repeat(3))
      await readAll(socket)
      await isFree()
    })
})

describe("LOAD-1: what does not fit is refused", () => {
  async function whileFull<T>(run: () => Promise<T>): Promise<T> {
    assert.ok(holdBytes(HELD_BODY_BYTES_AT_MOST - 1000, 0))
    try {
      return await run()
    } finally {
      releaseBytes(HELD_BODY_BYTES_AT_MOST - 1000)
    }
  }
  const shapes: Record<string, RegExp> = {
    "/oauth/token": /"error":"temporarily_unavailable"/,
    "/api/apps": /"UNAVAILABLE"/,
    "/sign-in": /<h1>Not available right now/,
  }
  for (const [path, shape] of Object.entries(shapes))
    for (const [how, headers, body] of [
      ["with a length", [length(60_000)], PART],
      ["in chunks", [CHUNKED], CHUNK],
    ] as const)
      test(`${path}, ${how}`, async () => {
        const head = await whileFull(async () => {
          const socket = begun(path, headers, body)
          const [chunk] = (await once(socket, "data")) as [Buffer]
          socket.destroy()
          return chunk.toString()
        })
        assert.match(head, /^HTTP\/1\.1 503 /)
        assert.match(head, /^retry-after: \d+\r$/im)
        assert.match(head, /^connection: close\r$/im)
        assert.match(head, shape)
        await isFree()
      })

  test("a small body fits", async () => {
    const answer = await whileFull(() =>
      fetch(`${testServer.url}/oauth/token`, {
        method: "POST",
        body: new URLSearchParams({ grant_type: "x", client_id: "y".repeat(3000) }),
      }),
    )
    assert.notEqual(answer.status, 503)
  })
})
