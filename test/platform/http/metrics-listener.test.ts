/** Tests how much the metrics listener accepts from one connection and from many. */
import assert from "node:assert/strict"
import { once } from "node:events"
import { test } from "node:test"
import { fixture } from "../../support/fixture.ts"
import { until } from "../../support/until.ts"
import { open, readAll } from "./raw.ts"

const ASKED = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"

const { testServer } = await fixture({ metrics: { on: "apart", host: "127.0.0.1", port: 0 } })

test("one request a connection: the first is answered, and the connection ends", async () => {
  const socket = open(testServer.metricsUrl)
  socket.write(ASKED.repeat(20))
  const { status, headers, body } = await readAll(socket)
  assert.deepEqual([status, headers.get("connection")], [200, "close"])
  assert.doesNotMatch(body, /HTTP\/1\.1/)
})

test("seventeen connections at once are one too many", async () => {
  const sockets = Array.from({ length: 17 }, () => open(testServer.metricsUrl))
  let ended = 0
  for (const socket of sockets) socket.resume().on("close", () => ended++)
  await until(() => ended === 1, "one is closed")
  for (const socket of sockets) socket.write(ASKED)
  await until(() => ended === 17, "the others are answered")
  const later = open(testServer.metricsUrl)
  later.write(ASKED)
  await once(later, "data")
  later.destroy()
})
