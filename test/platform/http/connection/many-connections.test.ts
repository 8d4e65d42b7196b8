/** Tests how much memory many connections can make the service use. */
import assert from "node:assert/strict"
import { once } from "node:events"
import { test } from "node:test"
import { operations } from "../../../../src/admin/operations.ts"
import { trustedRanges } from "../../../../src/platform/http/connection/client-address.ts"
import type { HttpReply, HttpRequest } from "../../../../src/platform/http/connection/message.ts"
import { HttpServer } from "../../../../src/platform/http/server.ts"
import { httpContextOf } from "../../../../src/platform/http/http-context.ts"
import { reservePort } from "../../../../src/platform/http/connection/reserved-port.ts"
import { open } from "../raw.ts"
import { fixture } from "../../../support/fixture.ts"

const { testServer } = await fixture()

test("LOAD-1: a connection beyond the most is closed", async () => {
  const server = new HttpServer(httpContextOf(testServer.latchkey, trustedRanges([])), 2)
  const { port, handle } = await reservePort("127.0.0.1")
  await server.listen(handle)
  const url = `http://127.0.0.1:${port}`
  const kept = [open(url), open(url)]
  for (const socket of kept) {
    socket.write("GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n")
    await once(socket, "data")
  }
  const surplus = open(url).resume()
  surplus.on("error", () => undefined)
  await once(surplus, "close")
  for (const socket of kept) socket.destroy()
  await server.close()
})

test("LOAD-1: answers with the description of the API share its bytes", () => {
  const describe = operations.find(({ id }) => id === "describe")
  const sent: unknown[] = []
  const reply = { header: () => reply, code: () => reply, send: (body: unknown) => (sent.push(body), reply) }
  const request = { headers: {} } as HttpRequest
  const site = httpContextOf(testServer.latchkey, trustedRanges([]))
  for (let n = 0; n < 2; n++) void describe?.endpoint(site, request, reply as unknown as HttpReply)
  assert.ok(Buffer.isBuffer(sent[0]))
  assert.equal(sent[0], sent[1])
})
