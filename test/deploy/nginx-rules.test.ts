/** Tests what deploy/nginx.conf does with requests, in front of two servers that record what they receive. */
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer, type IncomingMessage, request as plainRequest, type ServerResponse } from "node:http"
import { request } from "node:https"
import type { AddressInfo } from "node:net"
import { test, type TestContext } from "node:test"
import { BODY_BYTES_AT_MOST, ICON_BYTES_AT_MOST } from "../../src/kernel/limits.ts"
import { freePort } from "../support/free-port.ts"
import { needsNginx, Nginx } from "./nginx.ts"

type Answer = (request: IncomingMessage, response: ServerResponse) => void
type Got = { readonly node: number; readonly request: IncomingMessage }

const fine: Answer = (_, response) => void response.end("fine")
const gone: Answer = ({ socket }) => void socket.destroy()

/** Starts nginx in front of two servers. Both use `answer`. */
async function front(t: TestContext, answer: Answer, isBelowPath = false) {
  const got: Got[] = []
  const listen = async (node: number) => {
    const server = createServer((message, response) => {
      got.push({ node, request: message })
      message.resume()
      message.once("end", () => answer(message, response))
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    t.after(() => {
      server.close()
      server.closeAllConnections()
    })
    return (server.address() as AddressInfo).port
  }
  const nodes = [await listen(1), await listen(2)] as const
  return { got, nginx: await Nginx.start(t, { nodes, port: await freePort(), isBelowPath }) }
}

const FORM = { "content-type": "application/x-www-form-urlencoded" }

test(
  "RATE-1: a node gets the address of the connection, whatever the request claimed",
  needsNginx,
  async (t) => {
    const { nginx, got } = await front(t, fine)
    await fetch(`${nginx.url}/x`, { headers: { "x-forwarded-for": "203.0.113.9", "x-request-id": "mine" } })
    const { headers } = got[0]?.request ?? assert.fail("no request came through")
    assert.equal(headers["x-forwarded-for"], "127.0.0.1")
    assert.match(String(headers["x-request-id"]), /^[0-9a-f]{32}$/)
    await nginx.logs(new RegExp(`request_id=${String(headers["x-request-id"])}`))
    assert.equal(headers.host, "localhost")
  },
)

test("CODE-3: a POST that a node got is never sent again", needsNginx, async (t) => {
  const { nginx, got } = await front(t, gone)
  const init = { method: "POST", body: "grant_type=authorization_code", headers: FORM }
  const answer = await fetch(`${nginx.url}/oauth/token`, init)
  assert.equal(got.length, 1)
  assert.equal(answer.status, 503)
  assert.equal(answer.headers.get("retry-after"), "2")
  assert.equal(answer.headers.get("content-type"), "application/json")
  const { error } = (await answer.json()) as { error: string }
  assert.equal(error, "temporarily_unavailable")
})

test("a GET is sent to the other node, once", needsNginx, async (t) => {
  const { nginx, got } = await front(t, gone)
  const answer = await fetch(`${nginx.url}/oauth/authorize?state=very-secret`)
  assert.equal(answer.status, 503)
  assert.deepEqual(got.map(({ node }) => node).toSorted(), [1, 2])
  await nginx.logs(/"GET \/oauth\/authorize" 503 /)
  assert.doesNotMatch(nginx.accessLog + nginx.errorLog, /very-secret/)
})

test("a POST finds the node that listens, where the other one does not", needsNginx, async (t) => {
  const server = createServer((message, response) => {
    message.resume()
    response.end("fine")
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const nginx = await Nginx.start(t, { nodes: [await freePort(), port], port: await freePort() })
  for (let i = 0; i < 6; i++) {
    const answer = await fetch(`${nginx.url}/oauth/token`, { method: "POST", body: "a=b", headers: FORM })
    assert.equal(answer.status, 200)
  }
})

test("plain http leads a browser to https, and accepts no secret", needsNginx, async (t) => {
  const { nginx, got } = await front(t, fine)
  const plain = `http://localhost:${nginx.plainPort}`
  const led = await fetch(`${plain}/account?x=1`, { redirect: "manual" })
  assert.equal(led.status, 301)
  assert.equal(led.headers.get("location"), "https://localhost/account?x=1")
  const post = await fetch(`${plain}/oauth/token`, { method: "POST", body: "a=b", headers: FORM })
  assert.equal(post.status, 403)
  assert.equal(got.length, 0)
})

test("nothing is added to what a node answers, and nothing is compressed", needsNginx, async (t) => {
  const { nginx } = await front(t, (_, response) => {
    const headers = { "content-type": "text/html", "strict-transport-security": "max-age=63072000" }
    response.writeHead(200, headers).end("fine ".repeat(1000))
  })
  const { rawHeaders } = await get(`${nginx.url}/x`, { "accept-encoding": "gzip" })
  const names = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase())
  const expected = ["connection", "content-type", "date", "server", "strict-transport-security"]
  assert.deepEqual(names.filter((name) => name !== "transfer-encoding").toSorted(), expected)
})

test("what is larger than the service takes does not get to a node; an icon does", needsNginx, async (t) => {
  const { nginx, got } = await front(t, fine)
  const post = (path: string, length: number) =>
    fetch(nginx.url + path, { method: "POST", body: "x".repeat(length), headers: FORM })
  assert.equal((await post("/oauth/token", BODY_BYTES_AT_MOST)).status, 200)
  assert.equal((await post("/account/apps/icon", ICON_BYTES_AT_MOST + 16 * 1024)).status, 200)
  assert.equal(got.length, 2)
  const refused = await post("/oauth/token", BODY_BYTES_AT_MOST + 1)
  assert.equal(refused.status, 413)
  assert.equal(((await refused.json()) as { error: string }).error, "invalid_request")
  assert.equal((await post("/account/apps/icon", ICON_BYTES_AT_MOST + 16 * 1024 + 1)).status, 413)
  assert.equal(
    (await fetch(`${nginx.url}/sign-in`, { headers: { "x-long": "y".repeat(15_000) } })).status,
    400,
  )
  assert.equal(got.length, 2)
})

test(
  "DISC-2: published below a path, the service's addresses pass, those at the root of the host too, and no others",
  needsNginx,
  async (t) => {
    const { nginx, got } = await front(t, fine, true)
    const passed = [
      "/id/sign-in?a=b",
      "/id/oauth/introspect/stream",
      "/.well-known/oauth-authorization-server/id",
      "/.well-known/oauth-protected-resource/id",
    ]
    for (const path of passed) assert.equal((await fetch(nginx.url + path)).status, 200, path)
    assert.deepEqual(
      got.map((one) => one.request.url),
      passed,
    )
    for (const path of ["/", "/sign-in", "/.well-known/oauth-authorization-server/other"])
      assert.equal((await fetch(nginx.url + path)).status, 404, path)
  },
)

function get(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const make = url.startsWith("https:") ? request : plainRequest
  return new Promise((resolve, reject) => {
    const sent = make(url, { headers }, (answer) => {
      answer.resume()
      resolve(answer)
    })
    sent.once("error", reject).end()
  })
}
