/** Tests `serve --port 0`. The port belongs to the service as soon as its URL is known. */
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer as createHttpServer } from "node:http"
import { createServer } from "node:net"
import { test } from "node:test"
import { reservePort } from "../../../../src/platform/http/connection/reserved-port.ts"

test("a reserved port is exclusive, and its owner listens there", async (t) => {
  const { port, handle } = await reservePort("127.0.0.1")
  const [error] = (await once(createServer().listen(port, "127.0.0.1"), "error")) as [NodeJS.ErrnoException]
  assert.equal(error.code, "EADDRINUSE")
  const server = createHttpServer((_, response) => response.end("here")).listen(handle)
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, "listening")
  assert.equal(await (await fetch(`http://127.0.0.1:${port}`)).text(), "here")
})

test("an address that cannot be listened on is reported", async () => {
  await assert.rejects(reservePort("192.0.2.1"), { code: "EADDRNOTAVAIL" })
})
