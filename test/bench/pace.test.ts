/** Tests the open loop of the generator: what is due is sent, and latencies count from then. */
import { deepEqual, equal, ok } from "node:assert/strict"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { ask } from "../../bench/order.ts"
import { Stock } from "../../bench/stock.ts"

const TOKENS = JSON.stringify({ access_token: "a", refresh_token: "r" })

test("requests that were due while the server was silent are sent, and their latency begins when they were due", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "latchkey-pace-test-"))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  writeFileSync(join(dir, "client-id"), "app")
  writeFileSync(join(dir, "refresh-tokens"), "one\ntwo\nthree")
  let asked = 0
  const answer = (response: ServerResponse) =>
    response.writeHead(200, { "content-length": TOKENS.length }).end(TOKENS)
  // The first response comes late. There is one connection, so all other requests wait for it.
  const server = createServer((_, response) => {
    if (asked++ === 0) setTimeout(() => answer(response), 300)
    else answer(response)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  t.after(() => server.close())
  const order = { workload: "refresh", dialect: "bare", connections: 1, seconds: 0.2, most: 1000 } as const
  const { port } = server.address() as AddressInfo
  const load = await ask({ ...order, ports: [port], stock: dir, rate: 100 }, new Stock(dir))
  deepEqual(load.failures, [])
  equal(load.requests, 20)
  equal(asked, 20)
  // The last of the 20 was due 190 ms after the first one, and was sent 300 ms after it or later.
  ok(load.p50 > 100, `${load.p50}`)
  ok(load.worst >= 299, `${load.worst}`)
})
