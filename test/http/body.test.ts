/** A body is whole however it comes, and whenever it begins to be read: a gate may have asked a database first. */
import assert from "node:assert/strict"
import { createServer, type Server } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { after, before, describe, test } from "node:test"
import { readBody } from "../../src/http/body.ts"
import { Incoming } from "../../src/http/incoming.ts"

const LIMIT = 200_000
const WAITS: Readonly<Record<string, (go: () => void) => unknown>> = {
  "at once": (go) => go(),
  "after a promise": (go) => Promise.resolve().then(go),
  "after a turn": (go) => setImmediate(go),
  "after some milliseconds": (go) => setTimeout(go, 5),
}

let server: Server<typeof Incoming>
let port: number
let told = 0

before(async () => {
  server = createServer({ IncomingMessage: Incoming }, (raw, reply) => {
    WAITS[String(raw.headers["x-wait"])]?.(() =>
      readBody(raw, LIMIT, (body) => {
        told++
        reply.end(body === null ? "too much" : `${body.toString()}.`)
      }),
    )
  })
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

/** The bodies of the answers to `requests` on one connection, which `pieces` come on one after the other. */
async function answers(requests: readonly Sent[], pieces: readonly string[]): Promise<readonly string[]> {
  const toldBefore = told
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
  assert.equal(told - toldBefore, requests.length, "each is told of once")
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

    test("that fills more than is kept for somebody who does not read", async () => {
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
