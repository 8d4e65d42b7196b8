/** Tests the Go kit: its own tests, which play the vectors, and a Go program with a real service. */
import { after, before, describe, test } from "node:test"
import assert from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { TokenResponse } from "../../src/oauth/credential/token-response.rules.ts"
import { freePort } from "../support/free-port.ts"
import { go, needsGo, run } from "../support/go.ts"
import { environmentWith, newDirectory, wholeFile } from "../support/spawn.ts"
import { until } from "../support/until.ts"
import { ApiServer } from "./api-server.ts"
import type { TestApp } from "../support/test-server.ts"
import { untilInEffect } from "./in-effect.ts"

const root = join(import.meta.dirname, "../..")
const core = join(root, "packages/resource-server-go")
const example = join(root, "examples/go-http")
const span = wholeFile()

test("the tests of the package pass, and it plays every vector", needsGo, () => {
  const { status, output } = go(core, "test", ".")
  assert.equal(status, 0, output)
})

test("the core needs the standard library alone, and is formatted", needsGo, () => {
  assert.doesNotMatch(readFileSync(join(core, "go.mod"), "utf8"), /require/)
  assert.deepEqual(run(root, "gofmt", ["-l", core, example, join(root, "examples/login-go")]), {
    status: 0,
    output: "",
  })
})

test("the program of docs/go.md compiles", needsGo, (t) => {
  const [, program = ""] =
    /^```go\n(package main\n[^]*?)^```$/m.exec(readFileSync(join(root, "docs/go.md"), "utf8")) ?? []
  const [dir, module] = [newDirectory(t), "github.com/latchkey/latchkey/packages/resource-server-go"]
  writeFileSync(join(dir, "main.go"), program)
  writeFileSync(
    join(dir, "go.mod"),
    `module notes\n\ngo 1.24\n\nrequire ${module} v0.0.0\n\nreplace ${module} => ${core}\n`,
  )
  assert.deepEqual(run(dir, "gofmt", ["-l", "."]), { status: 0, output: "" })
  assert.deepEqual(go(dir, "vet", "."), { status: 0, output: "" })
})

describe("a Go program with a real service", needsGo, () => {
  let own: ApiServer
  let child: ChildProcess
  let url: string
  let app: TestApp
  let said = ""

  before(async () => {
    own = await ApiServer.open({
      permissions: {
        "notes:read": { title: "Read notes" },
        "notes:write": { title: "Write", implies: ["notes:read"] },
      },
    })
    app = await own.testServer.addApp({ permissions: notes, stepUp: true })
    const program = join(newDirectory(span), "notes")
    const { status, output } = go(example, "build", "-o", program, ".")
    assert.equal(status, 0, output)
    const port = await freePort()
    url = `http://localhost:${port}`
    child = spawn(program, {
      stdio: ["ignore", "pipe", "pipe"],
      env: environmentWith({
        PORT: String(port),
        LATCHKEY_ISSUER: own.front.url,
        LATCHKEY_CLIENT_ID: own.api.clientId,
        LATCHKEY_CLIENT_SECRET: own.api.secret ?? "",
      }),
    })
    span.after(() => child.kill("SIGKILL"))
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => (said += text))
    await until(() => said.includes(url), "the program listens")
  })
  after(() => own.close())

  const notes = ["notes:read", "notes:write"]
  const held = (scope = "notes:write", resource = url) => own.grant(app, { scope, resource })

  async function call(token: string | null, method = "GET", path = "/notes") {
    const headers = {
      connection: "close",
      ...(token !== null && { authorization: `Bearer ${token}` }),
    }
    const response = await fetch(url + path, { method, headers, ...(method === "POST" && { body: "milk" }) })
    return { status: response.status, headers: response.headers, body: (await response.json()) as unknown }
  }

  test("allowed, missing, insufficient, needs elevation; the metadata", async () => {
    const { access_token: token } = await held()
    assert.deepEqual((await call(token, "POST")).body, { notes: ["milk"] })
    assert.deepEqual((await call(token)).body, { username: "bob", notes: ["milk"] })
    const metadata = `${url}/.well-known/oauth-protected-resource`
    const missing = await call(null)
    assert.equal(missing.status, 401)
    assert.equal(
      missing.headers.get("www-authenticate"),
      `Bearer scope="notes:read", resource_metadata="${metadata}"`,
    )
    const reader = await held("notes:read")
    assert.equal((await call(reader.access_token, "POST")).status, 403)
    const refused = await call(token, "DELETE")
    assert.equal(refused.status, 400)
    assert.equal(refused.headers.get("service-elevation-required"), "1")
    const document = await call(null, "GET", "/.well-known/oauth-protected-resource")
    assert.deepEqual(document.body, {
      resource: url,
      authorization_servers: [own.front.url],
      bearer_methods_supported: ["header"],
      scopes_supported: notes,
      resource_name: "Notes",
    })
  })

  test("AUTHZ-9: a token for another resource is refused", async () => {
    const other = await held("notes:read", "https://other.example")
    const { status, body } = await call(other.access_token)
    assert.equal(status, 401)
    assert.match(JSON.stringify(body), /another resource/)
  })

  test("CRED-3: a revocation counts within a second, without a question for each check", async () => {
    const token = await held()
    await live(token)
    const asked = own.front.introspections
    for (let i = 0; i < 10; i++) assert.equal((await call(token.access_token)).status, 200)
    assert.equal(own.front.introspections, asked)
    await own.revoke(token, app.clientId)
    await untilInEffect(async () => (await call(token.access_token)).status === 401, "the token is refused")
  })

  test("the service is down: 503, never 200; it comes back, and the stream goes on where it ended", async () => {
    const [token, revoked] = [await held(), await held()]
    await live(token)
    assert.equal((await call(revoked.access_token)).status, 200)
    own.front.hasStream = false
    own.front.cutStreams()
    await own.revoke(revoked, app.clientId)
    own.front.goDown()
    await until(async () => (await call(token.access_token)).status === 503, "503")
    assert.equal((await call(revoked.access_token)).headers.get("retry-after"), "2")
    const opened = own.front.opened
    own.front.isDown = false
    own.front.hasStream = true
    await until(() => own.front.opened > opened, "the stream is opened again")
    assert.match(own.front.lastEventId ?? "", /^\d+$/)
    assert.equal((await call(token.access_token)).status, 200)
    assert.equal((await call(revoked.access_token)).status, 401)
  })

  test("it reports problems without a secret, and ends in good order", async () => {
    child.kill("SIGTERM")
    if (child.exitCode === null) await once(child, "exit")
    assert.deepEqual([child.exitCode, child.signalCode], [0, null])
    assert.match(said, /^stream: /m)
    assert.match(said, /^introspection: /m)
    assert.doesNotMatch(said, /lk[asr]_|Basic/)
  })

  /** Resolves when checks of the token are answered from memory. */
  async function live({ access_token }: TokenResponse): Promise<void> {
    await until(async () => {
      const asked = own.front.introspections
      await call(access_token)
      return own.front.introspections === asked
    }, "answers are kept")
  }
})
