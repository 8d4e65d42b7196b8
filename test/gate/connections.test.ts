/** Tests what the gate accepts from a connection, and when it closes one. No token is asked about here. */
import { describe, type TestContext, test } from "node:test"
import assert from "node:assert/strict"
import { once } from "node:events"
import type { Socket } from "node:net"
import { Callers } from "../../src/gate/caller.ts"
import { GateServer } from "../../src/gate/gate-server.ts"
import { Guard } from "../../src/gate/guard.ts"
import { LIMITS, type ConnectionLimits } from "../../src/gate/connections.ts"
import { publishedBy } from "../../src/gate/published.ts"
import { routeTable } from "../../src/gate/routes/match.rules.ts"
import type { GateRoute } from "../../src/gate/routes/route.rules.ts"
import { connect as connectService } from "../../packages/resource-server/src/connection.ts"
import { wellFormed } from "../kit/tokens.ts"
import { open, readAll, sendRaw } from "../platform/http/raw.ts"
import { templateOf } from "./routes/routes.ts"

const SECRET = "a-secret-that-the-proxy-and-gate-share"
const LOOPBACK = ["127.0.0.1/32"]
const ELSEWHERE = ["192.0.2.0/24"]
const DRAIN_MS = 60_000

type Options = {
  readonly ranges?: readonly string[]
  readonly secret?: string | null
  readonly limits?: Partial<ConnectionLimits>
  readonly fetch?: typeof globalThis.fetch
  readonly failed?: (error: unknown) => void
}

type Served = {
  readonly server: GateServer
  readonly url: string
  /** The reasons for which callers were refused. */
  readonly refused: readonly string[]
}

const NO_SERVICE = () => Promise.reject(new Error("no request is expected"))

/** A gate with the routes `/public` and `/private`. */
async function served(
  t: TestContext,
  { ranges = LOOPBACK, secret = null, limits = {}, fetch = NO_SERVICE, failed = noFailure }: Options = {},
): Promise<Served> {
  const connection = connectService({
    issuer: "http://localhost",
    clientId: "id",
    clientSecret: "secret",
    stream: false,
    fetch,
  })
  const routes = [routeAt("/public", true), routeAt("/private", false)]
  const guard = new Guard({
    connection,
    hosts: [
      {
        name: "api.example",
        resource: "https://api.example",
        requireAudience: false,
        routes,
        table: routeTable(routes),
        uncovered: [],
      },
    ],
    assert: null,
    monotonic,
  })
  const refused: string[] = []
  const server = new GateServer({
    callers: new Callers(ranges, secret),
    guard,
    published: publishedBy({ kits: guard.kits, keys: () => null, isLive: () => true }),
    answered: () => undefined,
    refused: ({ reason }) => refused.push(reason),
    failed,
    monotonic,
    limits: { ...LIMITS, ...limits },
  })
  const port = await server.listen("127.0.0.1", 0)
  t.after(() => server.close(0))
  return { server, url: `http://127.0.0.1:${port}`, refused }
}

const monotonic = () => 0
const noFailure = (error: unknown) => assert.fail(String(error))

function routeAt(path: string, isPublic: boolean): GateRoute {
  const permissions = isPublic ? [] : ["files:read"]
  return {
    source: { file: "gate.yaml", line: 1 },
    methods: ["GET"],
    template: templateOf(path),
    isPublic,
    permissions,
    elevation: false,
    allow: [],
    closed: null,
  }
}

const ASKED = ["X-Original-Method: GET", "X-Original-URI: /public", "X-Original-Host: api.example"]
const QUESTION = ["GET /auth/nginx HTTP/1.1", "Host: gate", ...ASKED]
const CLOSE = "Connection: close"
const text = (lines: readonly string[]) => `${lines.join("\r\n")}\r\n\r\n`

async function answerOn(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, "data")) as [Buffer]
  return chunk.toString("latin1")
}

describe("GATE-7 an answer is 200, 401, 403 or 503, whatever HTTP allows", () => {
  const sent: Readonly<Record<string, readonly [status: number, lines: readonly string[], body?: string]>> = {
    "Expect with an unknown value": [200, [...QUESTION, "Expect: x", CLOSE]],
    "Expect: 100-continue": [200, [...QUESTION, "Expect: 100-continue", "Content-Length: 5", CLOSE]],
    "an upgrade": [200, [...QUESTION, "Upgrade: websocket", "Connection: close, upgrade"]],
    "a tunnel": [403, ["CONNECT api.example:443 HTTP/1.1", "Host: gate"]],
    "no HTTP": [403, ["NONSENSE"]],
    "a method that HTTP does not know": [403, [QUESTION.join("\r\n").replace("GET", "get")]],
    "a body that is not sent": [200, [...QUESTION, "Content-Length: 10"]],
    "a body in broken chunks": [200, [...QUESTION, "Transfer-Encoding: chunked"], "zz\r\n"],
    "an address of 40 KB": [403, [`GET /auth/nginx?${"a".repeat(40_000)} HTTP/1.1`, "Host: gate", CLOSE]],
    "a path of 40 KB": [
      403,
      [...QUESTION.slice(0, 2), `X-Original-URI: /${"%2f".repeat(13_000)}`, ...ASKED.slice(0, 1), CLOSE],
    ],
    "a header of 60 KB": [403, [...QUESTION, `X-Long: ${"a".repeat(60_000)}`]],
    "an address of 60 KB": [403, [`GET /auth/nginx?${"a".repeat(60_000)} HTTP/1.1`, "Host: gate"]],
    "ten thousand headers": [200, [...QUESTION, ...Array<string>(10_000).fill("a:"), CLOSE]],
    "HTTP/1.0": [200, ["GET /auth/nginx HTTP/1.0", ...ASKED]],
  }
  for (const [name, [status, lines, body]] of Object.entries(sent))
    test(name, async (t) => {
      const { url } = await served(t)
      const { status: got } = await sendRaw(url, lines, body)
      assert.equal(got, status)
    })
})

test("GATE-7 an identity that no header can carry is 503, and the gate goes on", async (t) => {
  const failures: unknown[] = []
  const active = {
    active: true,
    iss: "http://localhost",
    username: "ada",
    client_id: "app",
    token_id: "credential",
  }
  const answer = { ...active, scope: "files:read", iat: 1, exp: 2_000_000_000 }
  const subjects = ["account\r\nLatchkey-Permissions: all", "account-ā", "account-1"]
  const fetch = async () => Response.json({ ...answer, sub: subjects.shift() })
  const { url } = await served(t, { fetch, failed: (error) => failures.push(error) })
  const lines = QUESTION.map((line) => line.replace("/public", "/private"))
  const statuses: number[] = []
  for (const _ of [...subjects])
    statuses.push((await sendRaw(url, [...lines, `Authorization: Bearer ${wellFormed()}`, CLOSE])).status)
  assert.deepEqual(statuses, [503, 503, 200])
  assert.equal(failures.length, 2)
})

describe("GATE-13 a connection of a caller that is refused is closed after the answer", () => {
  const cases: Readonly<Record<string, readonly [Options, readonly string[], reason: string | null]>> = {
    "another address": [{ ranges: ELSEWHERE }, QUESTION, "addressNotTrusted"],
    "no secret": [{ ranges: [], secret: SECRET }, QUESTION, "secretMissing"],
    "a wrong secret": [
      { secret: SECRET },
      [...QUESTION, "Latchkey-Gate-Secret: another-secret"],
      "secretWrong",
    ],
    "an address of no family": [{}, ["GET /auth/x HTTP/1.1", "Host: gate"], "noFamily"],
    "what everyone may read, from another address": [
      { ranges: ELSEWHERE },
      ["GET /health HTTP/1.1", "Host: gate"],
      null,
    ],
    "what everyone may read, without trusted addresses": [
      { ranges: [], secret: SECRET },
      ["GET /.well-known/x HTTP/1.1", "Host: gate"],
      null,
    ],
    "no HTTP": [{}, ["NONSENSE"], "notHttp"],
    "a head that is too large": [{}, [...QUESTION, `X-Long: ${"a".repeat(60_000)}`], "headTooLarge"],
  }
  for (const [name, [options, lines, reason]] of Object.entries(cases))
    test(name, async (t) => {
      const { url, refused } = await served(t, options)
      const { headers } = await sendRaw(url, lines)
      assert.equal(headers.get("connection"), "close")
      assert.deepEqual(refused, reason === null ? [] : [reason])
    })

  test("the connection of a trusted proxy stays open", async (t) => {
    const { url } = await served(t, { secret: SECRET })
    const socket = open(url)
    for (const lines of [
      [...QUESTION, `Latchkey-Gate-Secret: ${SECRET}`],
      ["GET /health HTTP/1.1", "Host: gate"],
    ]) {
      socket.write(text(lines))
      assert.match(await answerOn(socket), /^HTTP\/1\.1 200 [^]*Connection: keep-alive/i)
    }
    socket.destroy()
  })
})

describe("GATE-13 time and connections are limited", () => {
  test("a head that comes a byte at a time", async (t) => {
    const { url, refused } = await served(t, { limits: { headMs: 300, checkMs: 50 } })
    const socket = open(url)
    socket.write("GET /auth/nginx?")
    const bytes = setInterval(() => socket.write("a"), 20)
    t.after(() => clearInterval(bytes))
    const { status } = await readAll(socket)
    assert.equal(status, 403)
    assert.deepEqual(refused, ["tooSlow"])
  })

  test("a connection on which nothing comes, and one with a part of a head, whose client never closes it", async (t) => {
    const { url, refused } = await served(t, { limits: { headMs: 300, checkMs: 50 } })
    const silent = open(url)
    const half = open(url)
    half.write("GET /auth/nginx HTTP/1.1\r\n")
    assert.deepEqual([(await readAll(silent)).status, (await readAll(half)).status], [0, 403])
    assert.deepEqual(refused, ["tooSlow"])
  })

  test("an idle connection of a proxy", async (t) => {
    const { url } = await served(t, { limits: { keepAliveMs: 100 } })
    const { status } = await sendRaw(url, QUESTION)
    assert.equal(status, 200)
  })

  test("connections beyond the most are closed", async (t) => {
    const { url, refused } = await served(t, { limits: { connections: 2 } })
    const kept = [open(url), open(url)]
    for (const socket of kept) {
      socket.write(text(QUESTION))
      await answerOn(socket)
    }
    assert.equal((await readAll(open(url))).status, 0)
    assert.deepEqual(refused, ["tooManyConnections"])
    for (const socket of kept) socket.destroy()
  })

  test("the oldest connection that brought no question of a trusted caller makes room for a new one", async (t) => {
    const { url, refused } = await served(t, { ranges: [], secret: SECRET, limits: { connections: 3 } })
    const asked = text([...QUESTION, `Latchkey-Gate-Secret: ${SECRET}`])
    const proxy = open(url)
    proxy.write(asked)
    await answerOn(proxy)
    const [oldest, newer] = [open(url), open(url)]
    await Promise.all([once(oldest, "connect"), once(newer, "connect")])
    const closed = readAll(oldest)
    const another = open(url)
    another.write(asked)
    assert.match(await answerOn(another), /^HTTP\/1\.1 200 /)
    assert.equal((await closed).status, 0)
    assert.deepEqual(refused, ["tooManyConnections"])
    proxy.write(asked)
    assert.match(await answerOn(proxy), /^HTTP\/1\.1 200 /)
    for (const socket of [proxy, another, newer]) socket.destroy()
  })

  test("addresses that are not trusted share a small part of the connections", async (t) => {
    const { url, refused } = await served(t, { ranges: ELSEWHERE, limits: { strangers: 2 } })
    const [oldest, newer] = [open(url), open(url)]
    await Promise.all([once(oldest, "connect"), once(newer, "connect")])
    const closed = readAll(oldest)
    assert.equal((await sendRaw(url, ["GET /health HTTP/1.1", "Host: gate"])).status, 200)
    assert.equal((await closed).status, 0)
    assert.deepEqual(refused, ["tooManyConnections"])
    newer.write(text(["GET /health HTTP/1.1", "Host: gate"]))
    assert.equal((await readAll(newer)).status, 200)
  })
})

test("GATE-13 the gate stops: a question in progress gets its answer, and every connection ends", async (t) => {
  const asked = Promise.withResolvers<void>()
  const service = Promise.withResolvers<Response>()
  const fetch = () => (asked.resolve(), service.promise)
  const { server, url } = await served(t, { fetch })
  const [silent, idle, busy] = [open(url), open(url), open(url)]
  idle.write(text(QUESTION))
  await answerOn(idle)
  const questionToo = QUESTION.map((line) => line.replace("/public", "/private"))
  busy.write(text([...questionToo, `Authorization: Bearer ${wellFormed()}`]))
  const answers = Promise.all([silent, idle, busy].map(readAll))
  await asked.promise
  const closed = server.close(DRAIN_MS)
  service.resolve(Response.json({ active: false }))
  const [first, second, third] = await answers
  assert.deepEqual([first?.status, second?.status, third?.status], [0, 0, 401])
  assert.equal(third?.headers.get("connection"), "close")
  await closed
})
