/** A body must be complete, however it arrives and whenever it is read. The gate may query a database before that. */
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { after, before, describe, test } from "node:test"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { readBody } from "../../../../src/platform/http/connection/body.ts"
import { Incoming } from "../../../../src/platform/http/connection/incoming.ts"

const LIMIT = 200_000
const WAITS: Readonly<Record<string, (go: () => void) => unknown>> = {
  "at once": (go) => go(),
  "after a promise": (go) => Promise.resolve().then(go),
  "after a turn": (go) => setImmediate(go),
  "after some milliseconds": (go) => setTimeout(go, 5),
}

let server: Server<typeof Incoming>
let port: number
let handled = 0
/** The server's side of the latest connection. */
let accepted: Socket

before(async () => {
  server = createServer({ IncomingMessage: Incoming }, (raw, reply) => {
    if (raw.headers["x-wait"] === "discarded") raw.discard()
    WAITS[String(raw.headers["x-wait"])]?.(() =>
      readBody(raw, LIMIT, (body) => {
        handled++
        reply.end(typeof body === "string" ? "too much" : `${body.toString()}.`)
      }),
    )
  })
  server.on("connection", (socket) => (accepted = socket))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  port = (server.address() as AddressInfo).port
})
after(() => server.close())

type Sent = { readonly bytes: string; readonly headLength: number; readonly answer: string }

function sent(wait: string, body: string, chunkLength: number | null): Sent {
  const chunks = body.match(new RegExp(`.{1,${chunkLength ?? 1}}`, "g")) ?? []
  const [length, bytes] =
    chunkLength === null
      ? [`Content-Length: ${body.length}`, body]
      : [
          "Transfer-Encoding: chunked",
          `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("")}0\r\n\r\n`,
        ]
  const head = `POST / HTTP/1.1\r\nHost: localhost\r\nX-Wait: ${wait}\r\n${length}\r\n\r\n`
  return {
    bytes: head + bytes,
    headLength: head.length,
    answer: body.length > LIMIT ? "too much" : `${body}.`,
  }
}

/** Sends `requests` on one connection in these `pieces`. Returns the bodies of the responses. */
async function answers(requests: readonly Sent[], pieces: readonly string[]): Promise<readonly string[]> {
  const handledBefore = handled
  const socket = connect({ host: "127.0.0.1", port, noDelay: true })
  socket.setTimeout(10_000, () => socket.destroy(new Error(`no answer to ${requests.length} requests`)))
  let text = ""
  const bodies: string[] = []
  const all = new Promise<void>((resolve, reject) => {
    socket.on("error", reject)
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1")
      for (let end = text.indexOf("\r\n\r\n"); end >= 0; end = text.indexOf("\r\n\r\n")) {
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1])
        if (text.length < end + 4 + length) return
        bodies.push(text.slice(end + 4, end + 4 + length))
        text = text.slice(end + 4 + length)
      }
      if (bodies.length === requests.length) resolve()
    })
  })
  for (const piece of pieces) {
    socket.write(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await all
  socket.destroy()
  assert.equal(handled - handledBefore, requests.length, "each is handled once")
  return bodies
}

const SMALL = "grant_type=x&client_id=y"
const LARGE = "0123456789".repeat(9000)

for (const wait of Object.keys(WAITS)) {
  describe(`TOKEN-6: a body that is read ${wait}`, () => {
    const kinds: Readonly<Record<string, readonly Sent[]>> = {
      "with a length": [sent(wait, SMALL, null)],
      "in chunks": [sent(wait, SMALL, 5)],
      "that is empty": [sent(wait, "", null), sent(wait, "", 1)],
      "of several requests at once": [SMALL, "", "a", SMALL.repeat(3)].flatMap((body) => [
        sent(wait, body, null),
        sent(wait, body, 7),
      ]),
    }
    for (const [name, requests] of Object.entries(kinds))
      test(name, async () => {
        const bytes = requests.map((one) => one.bytes).join("")
        const expected = requests.map((one) => one.answer)
        const cuts = Array.from({ length: 24 }, (_, n) => Math.floor((n * bytes.length) / 24))
        for (const cut of [...cuts, requests[0]?.headLength ?? 0])
          assert.deepEqual(await answers(requests, [bytes.slice(0, cut), bytes.slice(cut)]), expected)
        assert.deepEqual(await answers(requests, bytes.match(/[^]{1,9}/g) ?? []), expected)
      })

    test("that fills more than is buffered for a client that does not read", async () => {
      const requests = [sent(wait, LARGE, null), sent(wait, LARGE, 5000), sent(wait, SMALL, null)]
      const bytes = requests.map((one) => one.bytes).join("")
      for (const length of [bytes.length, 65_536, 5000])
        assert.deepEqual(
          await answers(requests, bytes.match(new RegExp(`[^]{1,${length}}`, "g")) ?? []),
          requests.map((one) => one.answer),
        )
    })

    test("that is too large, and what comes behind it", async () => {
      const requests = [sent(wait, LARGE.repeat(3), 5000), sent(wait, SMALL, null)]
      const bytes = requests.map((one) => one.bytes).join("")
      assert.deepEqual(
        await answers(requests, bytes.match(/[^]{1,65536}/g) ?? []),
        requests.map((one) => one.answer),
      )
    })
  })
}

describe("LOAD-1: a body in pieces of one byte", () => {
  const length = 60_000
  const body = "a".repeat(length)
  const whole = `${"1\r\na\r\n".repeat(length)}0\r\n\r\n`

  for (const wait of [...Object.keys(WAITS), "never", "discarded"])
    test(`takes no more memory than its bytes where it is read ${wait}`, async () => {
      const head = `POST / HTTP/1.1\r\nHost: localhost\r\nX-Wait: ${wait}\r\nTransfer-Encoding: chunked\r\n\r\n`
      const unfinished = head + whole.slice(0, -5)
      const heldBefore = await heldBytes()
      const socket = connect({ host: "127.0.0.1", port })
      socket.write(unfinished)
      await new Promise((resolve) => socket.once("ready", resolve))
      await turnsUntil(() => accepted.bytesRead === unfinished.length)
      const held = (await heldBytes()) - heldBefore
      socket.destroy()
      await new Promise((resolve) => accepted.once("close", resolve))
      assert.ok(held < 1024 * 1024, `${held} bytes are held for ${length}`)
    })

  test("leaves the others their turn: one read of it at a time", async () => {
    const socket = connect({ host: "127.0.0.1", port })
    await once(server, "connection")
    socket.write(
      "POST / HTTP/1.1\r\nHost: localhost\r\nX-Wait: at once\r\nTransfer-Encoding: chunked\r\n\r\n",
    )
    socket.write(whole)
    let readSoFar = accepted.bytesRead
    let most = 0
    const answered = once(socket, "data")
    await turnsUntil(() => {
      most = Math.max(most, accepted.bytesRead - readSoFar)
      readSoFar = accepted.bytesRead
      return readSoFar > whole.length
    })
    assert.ok(most <= 65_536, `${most} bytes are read in one turn`)
    await answered
    socket.destroy()
  })

  test("is the body that was sent", async () => {
    const head = "POST / HTTP/1.1\r\nHost: localhost\r\nX-Wait: at once\r\nTransfer-Encoding: chunked\r\n\r\n"
    const sentInPieces: Sent = { bytes: head + whole, headLength: head.length, answer: `${body}.` }
    assert.deepEqual(await answers([sentInPieces], [sentInPieces.bytes]), [`${body}.`])
  })
})

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

async function heldBytes(): Promise<number> {
  // The memory of a closed connection is released in the next turns of the event loop.
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function turnsUntil(isReached: () => boolean): Promise<void> {
  while (!isReached()) await new Promise((resolve) => setImmediate(resolve))
}
