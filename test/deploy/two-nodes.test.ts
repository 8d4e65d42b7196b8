/**
 * Tests the setup of deploy/: two nodes on one PostgreSQL behind deploy/nginx.conf. The nodes take turns, so most flows
 * use both nodes.
 */
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { type RequestOptions, request } from "node:https"
import { join } from "node:path"
import { before, test } from "node:test"
import { EventParser } from "../../packages/resource-server/src/event-parser.ts"
import { Browser } from "../support/browser.ts"
import { type AppIdentity, authorizePath, connectIn, newVerifier } from "../support/connect.ts"
import { codeFor, own, refresh, send, signedInBrowser } from "../support/connect.ts"
import { databaseIn } from "../support/database.ts"
import { addAccount, addApp, addResourceServer, switchBudgetOff } from "../support/seed.ts"
import { until } from "../support/until.ts"
import { needsPostgres } from "../support/postgres.ts"
import { latchkey, newDirectory, wholeFile } from "../support/spawn.ts"
import { freePort } from "../support/free-port.ts"
import { needsNginx, Nginx, WORKERS } from "./nginx.ts"
import { type Node, startNode } from "./node.ts"

const needs = { ...needsPostgres, ...needsNginx }
const span = wholeFile()

let dir: string
let nginx: Nginx
let environments: Record<string, string>[]
let nodes: Node[]
let app: AppIdentity
let api: AppIdentity

before(async () => {
  if ("skip" in needs) return
  dir = newDirectory(span)
  const { environment } = await databaseIn(dir, "postgres")
  await addAccount(dir, "alice", true)
  await switchBudgetOff(dir)
  app = await addApp(dir, { type: "public" })
  api = await addResourceServer(dir)
  const ports = [await freePort(), await freePort()] as const
  const port = await freePort()
  environments = ports.map((one, i) => ({
    LATCHKEY_DATA: join(dir, `node${i}`),
    LATCHKEY_PORT: String(one),
    LATCHKEY_BASE_URL: `https://localhost:${port}`,
    LATCHKEY_TRUSTED_PROXIES: "127.0.0.1",
    LATCHKEY_SECRET_KEY_FILE: fileOf("secret_key", environment["LATCHKEY_SECRET_KEY"]),
    LATCHKEY_DATABASE_URL_FILE: fileOf("database_url", environment["LATCHKEY_DATABASE_URL"]),
  }))
  nodes = await Promise.all(environments.map((one) => startNode(span, one)))
  nginx = await Nginx.start(span, { nodes: ports, port })
})

function fileOf(name: string, content = ""): string {
  const file = join(dir, name)
  writeFileSync(file, `${content}\n`, { mode: 0o600 })
  return file
}

test(
  "CONSENT-1, CODE-1, CRED-1: signed in, consented, exchanged and refreshed over two nodes",
  needs,
  async () => {
    const browser = await signedInBrowser(nginx, "alice")
    const { refresh_token: first } = await connectIn(browser, nginx, app)
    const { status, body } = await refresh(nginx, app, first)
    assert.equal(status, 200)
    const headers = { authorization: `Bearer ${String(body["access_token"])}` }
    for (let i = 0; i < 4; i++)
      assert.equal((await fetch(`${nginx.url}/api/account`, { headers })).status, 200)
    const asked = () => [...nginx.accessLog.matchAll(/ node=127\.0\.0\.1:(\d+) /g)].map(([, port]) => port)
    await until(() => new Set(asked()).size === 2, "both nodes have answered")
  },
)

test(
  "pages come as the service sent them: one policy, one Strict-Transport-Security, cookies for https alone",
  needs,
  async () => {
    const page = await fetch(`${nginx.url}/sign-in`)
    assert.equal(page.headers.get("strict-transport-security"), "max-age=63072000")
    assert.match(page.headers.get("content-security-policy") ?? "", /^[^,]*$/)
    assert.match(page.headers.getSetCookie().join(), /^__Host-.*; Secure/)
    const number = page.headers.get("x-request-id") ?? ""
    assert.match(number, /^[0-9a-f]{32}$/)
    await nginx.logs(new RegExp(`"GET /sign-in" 200 .*request_id=${number} `))
  },
)

test(
  "AUTHZ-1: the longest request that the service takes comes through, and so does the redirect that answers it",
  needs,
  async () => {
    const browser = await signedInBrowser(nginx, "alice")
    // Each character is one byte in the request and three bytes in the response.
    const state = "!".repeat(4096)
    const path = authorizePath(app, newVerifier().challenge, { state }).replaceAll("%21", "!")
    const page = await browser.get(path)
    assert.equal(page.status, 200)
    const { location } = await browser.submit(page, "/oauth/consent", { decision: "refuse" })
    assert.equal(new URL(location ?? "").searchParams.get("state"), state)
    const long = "a".repeat(7900)
    const unsigned = await new Browser(nginx.url).get(`${path}&resource=https://api.example/${long}`)
    assert.ok(unsigned.status < 500, `${unsigned.status}: ${unsigned.text.slice(0, 200)}`)
  },
)

test("RATE-1: the trail has the client's real address, whatever the request claims", needs, async () => {
  const { verifier, challenge } = newVerifier()
  const code = await codeFor(await signedInBrowser(nginx, "alice"), app, challenge)
  const form = new URLSearchParams({
    ...own(app),
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: "https://app.example/callback",
  })
  const status = await postFrom("127.0.0.2", "/oauth/token", form.toString(), {
    "x-forwarded-for": "203.0.113.9",
  })
  assert.equal(status, 200)
  const events = await command<{ address: string | null }[]>("events", "--kind", "code-exchanged")
  assert.equal(events[0]?.address, "127.0.0.2")
})

test("INTRO-3: a revocation is sent through the proxy at once, by either node", needs, async () => {
  const authorization = `Basic ${Buffer.from(`${api.clientId}:${api.secret}`).toString("base64")}`
  const open = async () => {
    const { status, body } = await fetch(`${nginx.url}/oauth/introspect/stream`, {
      headers: { authorization },
    })
    assert.equal(status, 200)
    return eventsOf(body ?? assert.fail("no stream"))
  }
  const streams = await Promise.all([open(), open()])
  for (const stream of streams) assert.equal((await stream.next()).value, "ready")
  const browser = await signedInBrowser(nginx, "alice")
  const { refresh_token } = await connectIn(browser, nginx, app)
  await send(nginx, "/oauth/revoke", { ...own(app), token: refresh_token })
  for (const stream of streams) {
    assert.equal((await stream.next()).value, "credential")
    await stream.return(undefined)
  }
})

test(
  "CRED-1, SVC-2: a node is killed under load; what was answered holds, and what was not is asked for again",
  needs,
  async () => {
    const browser = await signedInBrowser(nginx, "alice")
    const tokens = await Promise.all(Array.from({ length: 6 }, () => connectIn(browser, nginx, app)))
    let answered = 0
    let unanswered = 0
    const killed = Promise.withResolvers<void>()
    const refreshing = tokens.map(async ({ refresh_token }) => {
      let token = refresh_token
      for (let i = 0; i < 40; i++) {
        const { status, headers, body } = await refresh(nginx, app, token)
        if (status === 200) {
          token = String(body["refresh_token"])
          if (++answered === 60) void nodes[0]?.kill().then(killed.resolve)
        } else {
          assert.equal(status, 503, JSON.stringify(body))
          assert.equal(body["error"], "temporarily_unavailable")
          assert.equal(headers.get("retry-after"), "2")
          unanswered++
        }
      }
      assert.equal((await refresh(nginx, app, token)).status, 200)
    })
    await Promise.all([...refreshing, killed.promise])
    // Each worker of the proxy has as many connections to a node as it had concurrent requests. Each connection notices
    // the failure by itself.
    assert.ok(unanswered <= WORKERS * tokens.length, `${unanswered} requests met the dying node`)
    for (let i = 0; i < 6; i++) assert.equal((await fetch(`${nginx.url}/sign-in`)).status, 200)

    await startNode(span, environments[0] ?? assert.fail())
    assert.deepEqual(await command("verify"), [])
  },
)

/** Runs a command on the database of the nodes, whatever engine the tests use. */
async function command<T>(...args: readonly string[]): Promise<T> {
  const { environment } = await databaseIn(dir)
  const ended = await latchkey([...args, "--data", dir, "--json"], { environment })
  assert.equal(ended.code, 0, ended.stderr)
  return JSON.parse(ended.stdout) as T
}

/** Yields the names of the events of a stream as they arrive. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const parser = new EventParser()
  const decoder = new TextDecoder()
  for await (const part of body)
    for (const { event } of parser.take(decoder.decode(part, { stream: true }))) yield event
}

/** Sends a form from another address of this machine. */
function postFrom(
  localAddress: string,
  path: string,
  form: string,
  more: Record<string, string>,
): Promise<number | undefined> {
  const options: RequestOptions = {
    method: "POST",
    host: "127.0.0.1",
    servername: "localhost",
    port: nginx.port,
    path,
    localAddress,
    headers: { "content-type": "application/x-www-form-urlencoded", host: "localhost", ...more },
  }
  return new Promise((resolve, reject) => {
    const sent = request(options, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    sent.once("error", reject).end(form)
  })
}
