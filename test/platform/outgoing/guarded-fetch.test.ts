import { after, before, test } from "node:test"
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import type { ServerResponse } from "node:http"
import { promisify } from "node:util"
import { gzipSync } from "node:zlib"
import {
  DEADLINE_MILLISECONDS,
  FAILURE_KEPT_MILLISECONDS,
  type FetchRequest,
  GuardedFetch,
  type StartTimer,
} from "../../../src/platform/outgoing/guarded-fetch.ts"
import type { FetchReason } from "../../../src/platform/outgoing/fetch-failure.rules.ts"
import { type ResolveName, resolveName } from "../../../src/platform/outgoing/resolve-name.ts"
import { testClock } from "../../support/clock.ts"
import { until } from "../../support/until.ts"
import {
  DocumentServer,
  LOOPBACK_ALLOWED,
  ONLY_CERTIFICATE,
  toLoopback,
} from "../../support/document-server.ts"

const BYTES_AT_MOST = 5 * 1024

let server: DocumentServer
before(async () => {
  server = await DocumentServer.open()
})
after(() => server.close())

function ask(url: string, change: Partial<FetchRequest> = {}): FetchRequest {
  return { url, cause: "visitor", isHostNamed: true, bytesAtMost: BYTES_AT_MOST, ...change }
}

function fetcher(resolve: ResolveName = toLoopback, clock = testClock()): GuardedFetch {
  return new GuardedFetch(LOOPBACK_ALLOWED, clock, resolve)
}

async function reasonOf(of: GuardedFetch, request: FetchRequest): Promise<FetchReason | "ok"> {
  const result = await of.getJson(request)
  return result.ok ? "ok" : result.error.reason
}

/** Returns a timer that the test ends. */
function heldTimer() {
  const started: { readonly milliseconds: number; readonly end: () => void }[] = []
  let stopped = 0
  const startTimer: StartTimer = (milliseconds, end) => {
    started.push({ milliseconds, end })
    return () => {
      stopped += 1
    }
  }
  return { startTimer, started, stopped: () => stopped }
}

test("OUT-4 brings the JSON of a 200 and what its cache headers allow", async () => {
  const url = server.serve("/plain", { client_id: "x" }, { "cache-control": "max-age=900" })
  const result = await fetcher().getJson(ask(url))
  assert.ok(result.ok)
  assert.deepEqual(result.value, { json: new Map([["client_id", "x"]]), cacheSeconds: 900 })
  const headers = server.headers.at(-1)
  assert.equal(headers?.accept, "application/json")
  assert.equal(headers["accept-encoding"], "identity")
  assert.equal(headers.connection, "close")
  assert.equal(headers.host, `app.documents.test:${server.port}`)
})

const REFUSED: readonly (readonly [FetchReason, string, () => string])[] = [
  ["statusNotOk", "a page of a bot wall with 403", () => server.fail("/403", 403)],
  ["statusNotOk", "404", () => server.url("/nowhere")],
  ["notJson", "HTML with 200", () => server.fail("/html", 200)],
  ["notJson", "text that is not JSON", () => server.serve("/text", "{")],
  ["notJson", "a member that stands twice", () => server.serve("/twice", '{"a":1,"a":2}')],
  ["notJson", "deep nesting", () => server.serve("/deep", "[".repeat(2000) + "]".repeat(2000))],
  [
    "notJson",
    "bytes that are not UTF-8",
    () =>
      server.on("/latin", (_, response) => {
        response.writeHead(200, { "content-type": "application/json" })
        response.end(Buffer.from([0x22, 0xff, 0x22]))
      }),
  ],
  ["tooLong", "a body that says it is too long", () => server.serve("/long", "1".repeat(BYTES_AT_MOST + 1))],
  [
    "encoded",
    "a compressed bomb",
    () =>
      server.on("/bomb", (_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
        response.end(gzipSync(Buffer.alloc(10_000_000, 0x20)))
      }),
  ],
  [
    "tooLong",
    "endless headers",
    () =>
      server.on("/headers", ({ socket }) => {
        const more = () => {
          if (!socket.destroyed) socket.write(`x-more: ${"a".repeat(1000)}\r\n`, () => setImmediate(more))
        }
        socket.on("error", () => undefined)
        socket.write("HTTP/1.1 200 OK\r\n", more)
      }),
  ],
  [
    "malformed",
    "endless interim answers",
    () =>
      server.on("/interim", ({ socket }) => {
        socket.on("error", () => undefined)
        socket.write("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100))
      }),
  ],
  [
    "malformed",
    "what is not HTTP",
    () =>
      server.on("/odd", ({ socket }) => {
        socket.end("SSH-2.0-x\r\n\r\n")
      }),
  ],
  [
    "connectionFailed",
    "a body that stops halfway",
    () =>
      server.on("/half", ({ socket }) => {
        socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n{"a"')
      }),
  ],
]

for (const [reason, what, serve] of REFUSED)
  test(`OUT-4, OUT-5 refused: ${what}`, async () => {
    assert.equal(await reasonOf(fetcher(), ask(serve())), reason)
  })

test("OUT-5 a body of ten megabytes in pieces is cut off at the limit", async () => {
  const { promise: closed, resolve: close } = Promise.withResolvers<number>()
  const url = server.on("/endless", ({ socket }, response) => {
    response.writeHead(200, { "content-type": "application/json" })
    let sent = 0
    const more = () => {
      if (sent < 10_000_000 && !socket.destroyed) response.write("1".repeat(1000), more)
      sent += 1000
    }
    socket.on("close", () => close(sent))
    more()
  })
  assert.equal(await reasonOf(fetcher(), ask(url)), "tooLong")
  assert.ok((await closed) < 10_000_000)
})

test("OUT-4 a redirect is not followed, wherever it leads", async () => {
  const inner = server.serve("/inner", {})
  const url = server.on("/redirect", (_, response) => {
    response.writeHead(302, { location: inner }).end()
  })
  assert.equal(await reasonOf(fetcher(), ask(url)), "redirected")
  assert.ok(!server.asked.includes("/inner"))
})

test("OUT-5 one deadline of five seconds ends a slow answer", async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<undefined>()
  const url = server.on("/drip", (_, response) => {
    response.writeHead(200, { "content-type": "application/json" })
    response.write(" ", () => begin(undefined))
  })
  const { startTimer, started } = heldTimer()
  const slow = new GuardedFetch(LOOPBACK_ALLOWED, testClock(), toLoopback, startTimer)
  const reason = reasonOf(slow, ask(url))
  await begun
  started[0]?.end()
  assert.equal(await reason, "deadlinePassed")
  assert.deepEqual(
    started.map(({ milliseconds }) => milliseconds),
    [DEADLINE_MILLISECONDS],
  )
})

test("OUT-5 the deadline covers the look-up of the name, and a connection that never answers", async () => {
  const { startTimer, started, stopped } = heldTimer()
  const { promise: never } = Promise.withResolvers<readonly string[]>()
  const slow = new GuardedFetch(LOOPBACK_ALLOWED, testClock(), () => never, startTimer)
  const reason = reasonOf(slow, ask(server.url("/plain")))
  started[0]?.end()
  assert.equal(await reason, "deadlinePassed")
  assert.equal(stopped(), 1)
})

test("OUT-2 a host with one special-use address among public ones is not connected to", async () => {
  const earlier = server.asked.length
  for (const addresses of [
    ["127.0.0.1"],
    ["93.184.216.34", "10.0.0.1"],
    ["::ffff:127.0.0.1"],
    ["64:ff9b::7f00:1"],
  ]) {
    const strict = new GuardedFetch(ONLY_CERTIFICATE, testClock(), async () => addresses)
    assert.equal(await reasonOf(strict, ask(server.url("/plain"))), "addressRefused")
  }
  assert.equal(server.asked.length, earlier)
})

test("OUT-2 the name is resolved once, and the connection goes to the address that was checked", async () => {
  const url = server.serve("/pinned", {})
  const answers = [["127.0.0.1"], ["169.254.169.254"]]
  let looked = 0
  const flipping = fetcher(async () => answers[looked++] ?? [])
  assert.equal(await reasonOf(flipping, ask(url)), "ok")
  assert.equal(looked, 1)
  // The next request resolves the name again and checks the new addresses.
  assert.equal(await reasonOf(flipping, ask(url)), "addressRefused")
  assert.equal(looked, 2)
})

test("OUT-1 an address as a host is refused before a look-up", async () => {
  let looked = 0
  const counting = fetcher(async () => [`127.0.0.${(looked += 1)}`])
  for (const host of ["127.0.0.1", "[::1]", "0x7f.1", "2130706433"])
    assert.equal(await reasonOf(counting, ask(`https://${host}:${server.port}/plain`)), "urlRefused")
  assert.equal(looked, 0)
})

test("OUT-3 allowed ranges and the further authority are for hosts that the operator named", async () => {
  const url = server.serve("/named", {})
  assert.equal(await reasonOf(fetcher(), ask(url)), "ok")
  assert.equal(await reasonOf(fetcher(), ask(url, { isHostNamed: false })), "addressRefused")
  const { certificates: _, ...ranges } = LOOPBACK_ALLOWED
  const untrusting = new GuardedFetch({ ...ranges, certificates: null }, testClock(), toLoopback)
  assert.equal(await reasonOf(untrusting, ask(url)), "certificateRefused")
})

test("OUT-2 a certificate for another name is refused", async () => {
  const url = `https://elsewhere.test:${server.port}/named`
  assert.equal(await reasonOf(fetcher(), ask(url)), "certificateRefused")
})

test("OUT-2 a host without an address, and one that nothing answers on, are refused", async () => {
  assert.equal(
    await reasonOf(
      fetcher(async () => []),
      ask(server.url("/x")),
    ),
    "nameUnresolved",
  )
  const failing = fetcher(async () => Promise.reject(new Error("SERVFAIL")))
  assert.equal(await reasonOf(failing, ask(server.url("/x"))), "nameUnresolved")
  const closed = await DocumentServer.open()
  const url = closed.url("/x")
  await closed.close()
  assert.equal(await reasonOf(fetcher(), ask(url)), "connectionFailed")
})

test("OUT-6 a URL that failed is not requested again for half a minute, others are", async () => {
  const clock = testClock()
  const remembering = fetcher(toLoopback, clock)
  const url = server.fail("/remembered", 500)
  assert.equal(await reasonOf(remembering, ask(url)), "statusNotOk")
  server.serve("/remembered", {})
  assert.equal(await reasonOf(remembering, ask(url)), "statusNotOk")
  assert.equal(await reasonOf(remembering, ask(server.serve("/other", {}))), "ok")
  clock.advance(FAILURE_KEPT_MILLISECONDS / 1000)
  assert.equal(await reasonOf(remembering, ask(url)), "ok")
})

test("OUT-6 excess lookups of names are refused as excess, and not remembered", async () => {
  const url = server.serve("/busy", {})
  let isBusy = true
  const of = fetcher(() => (isBusy ? Promise.resolve("busy") : toLoopback()))
  assert.equal(await reasonOf(of, ask(url)), "tooManyRequests")
  isBusy = false
  assert.equal(await reasonOf(of, ask(url)), "ok")
})

test("OUT-6 visitors cannot use up the lookups for keys of apps that an administrator registered", async () => {
  const { signal } = new AbortController()
  const look = (host: string, lookups: "registered-keys" | "other") =>
    resolveName(host, { isHostNamed: true, lookups, signal })
  const found = await Promise.all([
    look("localhost", "other"),
    look("localhost.localdomain", "other").catch(() => []),
    look("ip6-localhost", "other"),
    look("localhost", "registered-keys"),
  ])
  assert.deepEqual(
    found.map((addresses) => addresses === "busy"),
    [false, false, true, false],
  )
})

test("OUT-6 content that the caller refuses is remembered like a failure, until the operator asks", async () => {
  const remembering = fetcher()
  const url = server.serve("/content", {})
  const refused = remembering.refuseContent(ask(url), "client_id is missing.")
  assert.ok(!refused.ok)
  assert.deepEqual(await remembering.getJson(ask(url)), refused)
  remembering.forgetFailure(ask(url))
  assert.equal(await reasonOf(remembering, ask(url)), "ok")
})

test("OUT-6 four requests to an origin and sixteen in all run at once, the next is refused at once", async () => {
  const waiting: ServerResponse[] = []
  const hold = (path: string, host: string) => {
    server.on(path, (_, response) => waiting.push(response))
    return ask(server.url(path, host))
  }
  const busy = fetcher()
  const reasons: Promise<FetchReason | "ok">[] = []
  for (const host of ["a", "b", "c", "d"].map((name) => `${name}.documents.test`)) {
    for (const path of ["/held1", "/held2", "/held3", "/held4"])
      reasons.push(reasonOf(busy, hold(path, host)))
    assert.equal(await reasonOf(busy, hold("/held5", host)), "tooManyRequests")
  }
  assert.equal(await reasonOf(busy, hold("/held1", "e.documents.test")), "tooManyRequests")
  // Another cause has its own limits.
  reasons.push(reasonOf(busy, { ...hold("/held1", "e.documents.test"), cause: "account" }))
  await until(() => waiting.length === 17, "all requests have arrived")
  for (const response of waiting) response.writeHead(200, { "content-type": "application/json" }).end("{}")
  assert.deepEqual(new Set(await Promise.all(reasons)), new Set(["ok"]))
})

test("OUT-6 requests for one URL at a time share an answer", async () => {
  const url = server.serve("/shared", {})
  const earlier = server.asked.length
  const sharing = fetcher()
  const reasons = await Promise.all(Array.from({ length: 50 }, () => reasonOf(sharing, ask(url))))
  assert.deepEqual(new Set(reasons), new Set(["ok"]))
  assert.equal(server.asked.length - earlier, 1)
})

test("OUT-6 in a minute thirty requests go to an origin and 120 in all; ten thousand URLs bring no more", async () => {
  const clock = testClock()
  let looked = 0
  const counting = fetcher(async () => {
    looked += 1
    return []
  }, clock)
  const failing = async (host: string, path: string) => reasonOf(counting, ask(`https://${host}/${path}`))
  for (let at = 0; at < 40; at += 1) await failing("one.test", String(at))
  assert.equal(looked, 30)
  for (let at = 0; at < 10_000; at += 1) await failing(`h${at}.test`, "c")
  assert.equal(looked, 120)
  clock.advance(60)
  assert.equal(await failing("one.test", "c"), "nameUnresolved")
})

test("OUT-4 proxies that the environment names, and a certificate check that it turns off, are ignored", async () => {
  const url = server.serve("/direct", {})
  const guarded = new URL("../../../src/platform/outgoing/guarded-fetch.ts", import.meta.url).href
  const code = `
    const { GuardedFetch } = await import(${JSON.stringify(guarded)})
    const at = { monotonic: () => 0 }
    const outgoing = { allowedRanges: ["127.0.0.0/8"], certificates: process.env.AUTHORITY ?? null }
    const fetcher = new GuardedFetch(outgoing, at, async () => ["127.0.0.1"])
    const request = { url: ${JSON.stringify(url)}, cause: "visitor", isHostNamed: true, bytesAtMost: 5120 }
    const result = await fetcher.getJson(request)
    console.log(result.ok ? "ok" : result.error.reason)`
  const run = async (env: Record<string, string>) => {
    const options = { env: { PATH: process.env["PATH"] ?? "", NODE_NO_WARNINGS: "1", ...env } }
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "-e", code],
      options,
    )
    return stdout.trim()
  }
  const proxied = {
    NODE_USE_ENV_PROXY: "1",
    HTTPS_PROXY: "http://127.0.0.1:9",
    https_proxy: "http://127.0.0.1:9",
  }
  assert.equal(await run({ ...proxied, AUTHORITY: LOOPBACK_ALLOWED.certificates ?? "" }), "ok")
  assert.equal(await run({ NODE_TLS_REJECT_UNAUTHORIZED: "0" }), "certificateRefused")
})

test("OUT-7 a failure is described in the words of the service", async () => {
  const url = server.on("/words", (_, response) => {
    response.statusMessage = "SECRET phrase"
    response.writeHead(418, { "content-type": "text/SECRET", "x-secret": "SECRET" }).end("SECRET")
  })
  const result = await fetcher().getJson(ask(url))
  assert.ok(!result.ok)
  assert.equal(result.error.description, "The host answered with status 418.")
})
