/** Tests `latchkey doctor` with a correct service, and with proxies that each make one mistake. */
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo } from "node:net"
import { describe, test } from "node:test"
import { doctor } from "../../../src/cli/doctor/doctor.command.ts"
import { selfSigned } from "../../support/certificate.ts"
import { everything } from "../../support/stored.ts"
import { TestServer, type TestApp } from "../../support/test-server.ts"
import { latchkey, type Span, wholeFile } from "../../support/spawn.ts"

type Finding = {
  readonly check: string
  readonly state: string
  readonly seen: string
  readonly advice: string | null
}
type Diagnosis = {
  readonly problems: number
  readonly warnings: number
  readonly findings: readonly Finding[]
}

/** What a proxy changes in a request and in the response. If `answers` is set, the proxy itself responds. */
type Meddling = {
  readonly request?: (request: IncomingMessage) => void
  readonly answers?: (request: IncomingMessage, response: ServerResponse) => boolean
  readonly headers?: (headers: Map<string, string[]>, request: IncomingMessage, status: number) => void
  readonly body?: (body: string, request: IncomingMessage) => string
}

const meddlings: Readonly<
  Record<string, readonly [check: string, state: "problem" | "warning", meddling: Meddling]>
> = {
  "a content policy of its own": [
    "content policy",
    "problem",
    { headers: (headers) => headers.get("content-security-policy")?.push("form-action 'self'") },
  ],
  "another content policy": [
    "content policy",
    "problem",
    { headers: (headers) => headers.set("content-security-policy", ["default-src 'self'"]) },
  ],
  "no content policy": [
    "content policy",
    "problem",
    { headers: (headers) => headers.delete("content-security-policy") },
  ],
  "a form-action with the pages of an authorization": [
    "return to the app",
    "problem",
    {
      headers: (headers, { url = "" }) =>
        url.startsWith("/oauth/authorize") &&
        headers.set("content-security-policy", [
          `${headers.get("content-security-policy")?.join(", ")}; form-action 'self' https://app.example`,
        ]),
    },
  ],
  "frames from its own site": [
    "framing",
    "problem",
    { headers: (headers) => headers.get("x-frame-options")?.push("SAMEORIGIN") },
  ],
  "the Authorization header is taken out": [
    "Authorization header",
    "problem",
    { request: ({ headers }) => delete headers.authorization },
  ],
  "error pages of its own": [
    "/oauth/token",
    "problem",
    { body: (body, { method }) => (method === "POST" ? "<h1>Bad Request</h1>" : body) },
  ],
  "no POST": [
    "/oauth/revoke",
    "problem",
    {
      answers: ({ method, url }, response) => {
        if (method !== "POST" || url !== "/oauth/revoke") return false
        response.writeHead(405).end()
        return true
      },
    },
  ],
  "a cache in front of tokens": ["caching", "problem", { headers: (headers) => headers.set("age", ["12"]) }],
  "caching of everything": [
    "caching",
    "problem",
    { headers: (headers) => headers.set("cache-control", ["public, max-age=60"]) },
  ],
  "OPTIONS is answered by itself": [
    "CORS",
    "problem",
    {
      answers: ({ method }, response) => {
        if (method !== "OPTIONS") return false
        response.writeHead(405).end()
        return true
      },
    },
  ],
  "CORS once more": [
    "CORS",
    "problem",
    { headers: (headers) => headers.get("access-control-allow-origin")?.push("*") },
  ],
  "CORS for pages": [
    "CORS of pages",
    "problem",
    { headers: (headers) => headers.set("access-control-allow-origin", ["*"]) },
  ],
  "cookies without HttpOnly": [
    "cookies",
    "problem",
    {
      headers: (headers) =>
        headers.set(
          "set-cookie",
          (headers.get("set-cookie") ?? []).map((one) => one.replace(/; HttpOnly/i, "")),
        ),
    },
  ],
  "cookies are dropped": ["cookies", "problem", { headers: (headers) => headers.delete("set-cookie") }],
  "redirects to where the slash is right": [
    "slashes",
    "problem",
    {
      answers: ({ url = "" }, response) => {
        if (!/.\/$/.test(url)) return false
        response.writeHead(301, { location: url.slice(0, -1) }).end()
        return true
      },
    },
  ],
  "addresses by X-Forwarded-Host": [
    "forwarded host",
    "problem",
    {
      body: (body, { headers }) =>
        body.replaceAll(/localhost:\d+/g, (host) => String(headers["x-forwarded-host"] ?? host)),
    },
  ],
  "no metadata": [
    "authorization server metadata",
    "problem",
    {
      answers: ({ url = "" }, response) => {
        if (!url.startsWith("/.well-known/oauth-authorization-server")) return false
        response.writeHead(404).end()
        return true
      },
    },
  ],
  "metadata with another issuer": [
    "authorization server metadata",
    "problem",
    { body: (body) => body.replaceAll(/"issuer":"([^"]+)"/g, '"issuer":"$1/"') },
  ],
  "metadata with another endpoint": [
    "endpoints",
    "problem",
    { body: (body) => body.replaceAll("/oauth/token", "/token") },
  ],
  "a clock that is an hour behind": [
    "clock",
    "problem",
    { headers: (headers) => headers.set("date", [new Date(Date.now() - 3_600_000).toUTCString()]) },
  ],
  "a clock that is half a minute ahead": [
    "clock",
    "warning",
    { headers: (headers) => headers.set("date", [new Date(Date.now() + 30_000).toUTCString()]) },
  ],
  "short addresses only": [
    "long addresses",
    "warning",
    {
      answers: ({ url = "" }, response) => {
        if (url.length < 4000) return false
        response.writeHead(414).end()
        return true
      },
    },
  ],
  "the number of a request is dropped": [
    "request number",
    "warning",
    { headers: (headers) => headers.delete("x-request-id") },
  ],
  "too many requests": [
    "/oauth/token",
    "warning",
    {
      answers: ({ method, url }, response) => {
        if (method !== "POST" || url !== "/oauth/token") return false
        response.writeHead(429, { "cache-control": "no-store" }).end()
        return true
      },
    },
  ],
}

const file = wholeFile()

describe("doctor: a service as it is", () => {
  test("nothing is wrong with it, and its exit status is 0", async () => {
    const { testServer, app } = await seeded()
    const { code, diagnosis } = await examined(testServer.url, app)
    assert.deepEqual(faults(diagnosis), [])
    assert.equal(code, 0)
    assert.ok(diagnosis.findings.length >= 20)
    assert.ok(diagnosis.findings.every(({ check, seen }) => check !== "" && seen.endsWith(".")))
  })

  test("a slash at the end of the address is ignored", async () => {
    const { testServer } = await seeded()
    const { diagnosis } = await examined(`${testServer.url}/`)
    assert.deepEqual(faults(diagnosis), [])
  })

  test("in words: one line a check, advice below, and a summary", async () => {
    const { testServer } = await seeded()
    const { code, stdout } = await latchkey(["doctor", testServer.url])
    assert.equal(code, 0)
    assert.match(stdout, /^ok +reach +The service and its database answer\.$/m)
    assert.match(stdout, /^ {9}Name a registered app with --client-id and --redirect-uri/m)
    assert.match(stdout, new RegExp(`${testServer.url}: no problems, no warnings, \\d+ checks passed\\.\\n$`))
  })

  test("an app that is unknown, or another address of it, is found out", async () => {
    const { testServer, app } = await seeded()
    for (const [clientId, redirectUri] of [
      ["unknown", "https://app.example/callback"],
      [app.clientId, "https://app.example/other"],
    ] as const) {
      const { code, diagnosis } = await examined(testServer.url, { clientId, redirectUri })
      assert.deepEqual(faults(diagnosis), ["return to the app: problem"])
      assert.equal(code, 1)
    }
  })

  test("it leaves nothing behind: no event, no session, no app", async () => {
    const { testServer, app } = await seeded()
    const before = await everything(testServer)
    await examined(testServer.url, app)
    assert.deepEqual(await everything(testServer), before)
  })
})

describe("doctor: faults of a proxy are reported", () => {
  for (const [title, [check, state, meddling]] of Object.entries(meddlings))
    test(title, async (t) => {
      const { url, app } = await behind(t, meddling)
      const { code, diagnosis } = await examined(url, app)
      const found = diagnosis.findings.find((finding) => finding.check === check && finding.state === state)
      assert.ok(found !== undefined, JSON.stringify(faults(diagnosis)))
      assert.ok((found.advice?.length ?? 0) > 20, "it says what to do")
      assert.equal(code, state === "problem" ? 1 : 0)
    })
})

describe("doctor: what cannot be reached", () => {
  test("no server listens", async () => {
    const { code, diagnosis } = await examined("http://127.0.0.1:1")
    assert.deepEqual(faults(diagnosis), ["reach: problem"])
    assert.match(diagnosis.findings[0]?.advice ?? "", /No server listens there/)
    assert.equal(code, 1)
  })

  test("a self-signed certificate", async (t) => {
    const server = createTlsServer(selfSigned("localhost"), (_, response) => response.end()).listen(
      0,
      "127.0.0.1",
    )
    t.after(() => server.close())
    await once(server, "listening")
    const { diagnosis } = await examined(`https://localhost:${(server.address() as AddressInfo).port}`)
    assert.match(diagnosis.findings[0]?.advice ?? "", /self-signed/)
  })

  test("plain http where TLS should be", async () => {
    const { testServer } = await seeded()
    const { diagnosis } = await examined(testServer.url.replace("http:", "https:"))
    assert.match(diagnosis.findings[0]?.advice ?? "", /does not speak TLS/)
  })

  test("another program", async (t) => {
    const server = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1")
    t.after(() => server.close())
    await once(server, "listening")
    const { diagnosis } = await examined(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    assert.match(diagnosis.findings[0]?.seen ?? "", /not the answer of the service/)
    assert.deepEqual(faults(diagnosis), ["reach: problem"], "what follows from it is not reported again")
  })

  test("what is no address of a service is wrong usage", async () => {
    for (const args of [
      ["http://id.example.org"],
      ["nowhere"],
      ["https://user:s3cret@id.example.org"],
      ["http://localhost:1", "--client-id", "x"],
      ["http://localhost:1", "--client-id", "x", "--redirect-uri", "nowhere"],
    ]) {
      const { code, stderr } = await latchkey(["doctor", ...args])
      assert.equal(code, 2, args.join(" "))
      assert.doesNotMatch(stderr, /s3cret/)
    }
  })
})

type Addressed = { readonly clientId: string; readonly redirectUri: string }

let made: Promise<{ testServer: TestServer; app: Addressed }> | null = null

function seeded(): Promise<{ testServer: TestServer; app: Addressed }> {
  made ??= (async () => {
    const testServer = await TestServer.open()
    file.after(() => testServer.close())
    return { testServer, app: addressOf(await testServer.addApp()) }
  })()
  return made
}

function addressOf({ clientId }: TestApp): Addressed {
  return { clientId, redirectUri: "https://app.example/callback" }
}

/** Runs the checks in this process, because starting the command takes longer than the checks. */
async function examined(url: string, app?: Addressed): Promise<{ code: number; diagnosis: Diagnosis }> {
  const { exit, printed } = await doctor.run({
    operands: [url],
    flags: { "client-id": app?.clientId ?? null, "redirect-uri": app?.redirectUri ?? null } as never,
    globals: { data: "", config: null, databaseUrl: null, json: true, sourceOf: (flag) => `--${flag}` },
  })
  return { code: exit, diagnosis: printed?.json as Diagnosis }
}

function faults({ findings }: Diagnosis): string[] {
  return findings
    .filter(({ state }) => state === "problem" || state === "warning")
    .map(({ check, state }) => `${check}: ${state}`)
}

/** Starts a service whose published address belongs to a proxy that makes a mistake. */
async function behind(span: Span, meddling: Meddling): Promise<{ url: string; app: Addressed }> {
  let testServer: TestServer | null = null
  const proxy = createServer(
    (asked, answer) => void pass(asked, answer, new URL(testServer?.url ?? ""), meddling),
  )
  proxy.listen(0, "127.0.0.1")
  await once(proxy, "listening")
  span.after(() => proxy.close())
  const url = `http://localhost:${(proxy.address() as AddressInfo).port}`
  testServer = await TestServer.open({ baseUrl: url })
  const opened = testServer
  span.after(() => opened.close())
  return { url, app: addressOf(await testServer.addApp()) }
}

async function pass(
  asked: IncomingMessage,
  answer: ServerResponse,
  to: URL,
  meddling: Meddling,
): Promise<void> {
  if (meddling.answers?.(asked, answer) === true) return
  meddling.request?.(asked)
  const sent = request({
    port: to.port,
    method: asked.method ?? "GET",
    path: asked.url ?? "/",
    headers: asked.headers,
  })
  asked.pipe(sent)
  const [got] = (await once(sent, "response")) as [IncomingMessage]
  const headers = new Map<string, string[]>()
  for (const [name, values = []] of Object.entries(got.headersDistinct)) headers.set(name, [...values])
  const body = Buffer.concat(await got.toArray()).toString()
  const given = meddling.body?.(body, asked) ?? body
  headers.delete("transfer-encoding")
  headers.set("content-length", [String(Buffer.byteLength(given))])
  meddling.headers?.(headers, asked, got.statusCode ?? 0)
  answer.writeHead(got.statusCode ?? 0, Object.fromEntries(headers)).end(given)
}
