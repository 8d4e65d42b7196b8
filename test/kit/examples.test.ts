/** Starts the examples as their READMEs say: the service, the commands, and each example in its own process. */
import { before, test } from "node:test"
import assert from "node:assert/strict"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type AppIdentity, connect, REDIRECT_URI } from "../support/connect.ts"
import { addAccount } from "../support/seed.ts"
import { done, environmentWith, newDirectory, type Span, SpawnedServer, wholeFile } from "../support/spawn.ts"
import { until } from "../support/until.ts"
import { freePort } from "../support/free-port.ts"

const root = join(import.meta.dirname, "../..")
const config = join(root, "examples/latchkey.yaml")
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>
}
type Added = { readonly client_id: string; readonly client_secret?: string }

const span = wholeFile()
let service: SpawnedServer
let api: Added
let app: AppIdentity

before(async () => {
  const dir = newDirectory(span)
  await addAccount(dir, "bob")
  const add = (...args: string[]) => done<Added>(dir, ["app", "add", "--config", config, ...args])
  api = await add("--name", "Notes API", "--type", "confidential", "--resource-server")
  const added = await add(
    "--name",
    "Notes",
    "--type",
    "public",
    "--redirect",
    REDIRECT_URI,
    "--permission",
    "notes:write",
  )
  service = await SpawnedServer.start(span, dir, { LATCHKEY_CONFIG: config })
  app = { clientId: added.client_id, secret: null }
})

/** Runs the script of package.json as npm does. Waits until it prints that it listens. */
async function start(t: Span, script: string, port: number): Promise<ChildProcess> {
  const [, ...args] = (scripts[script] ?? "").split(" ")
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: environmentWith({
      PORT: String(port),
      LATCHKEY_ISSUER: service.url,
      LATCHKEY_CLIENT_ID: api.client_id,
      LATCHKEY_CLIENT_SECRET: api.client_secret ?? "",
    }),
  })
  t.after(() => child.kill("SIGKILL"))
  let said = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text))
  await until(() => said.includes(`http://localhost:${port}`), `${script} listens`, 20_000)
  return child
}

async function endsWell(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM")
  if (child.exitCode === null) await once(child, "exit")
  assert.deepEqual([child.exitCode, child.signalCode], [0, null])
}

test("MCP-2: examples/api answers whose notes they are, refuses a token that names no resource, and asks for elevation before it deletes them", async (t) => {
  const port = await freePort()
  const child = await start(t, "example:api", port)
  const request = { scope: "notes:write" }
  const resource = `http://localhost:${port}`
  const { access_token: token } = await connect(service, app, "bob", { ...request, resource })
  const { access_token: unnamed } = await connect(service, app, "bob", request)
  const call = async (method: string, body?: string, held = token) => {
    const response = await fetch(`http://localhost:${port}/notes`, {
      method,
      headers: { authorization: `Bearer ${held}`, connection: "close" },
      ...(body !== undefined && { body }),
    })
    return { status: response.status, body: (await response.json()) as unknown }
  }
  assert.deepEqual(await call("POST", "milk"), { status: 200, body: { notes: ["milk"] } })
  assert.deepEqual(await call("GET"), { status: 200, body: { username: "bob", notes: ["milk"] } })
  assert.equal((await call("POST", "x".repeat(10_001))).status, 413)
  assert.equal((await call("DELETE")).status, 400)
  const refused = await call("GET", undefined, unnamed)
  assert.equal(refused.status, 401)
  assert.match(JSON.stringify(refused.body), /names no resource/)
  const { status } = await fetch(`http://localhost:${port}/notes`, { headers: { connection: "close" } })
  assert.equal(status, 401)
  await endsWell(child)
})

test("MCP-1: examples/mcp refuses strangers with the way to its metadata, and pages of other origins", async (t) => {
  const port = await freePort()
  const child = await start(t, "example:mcp", port)
  const headers = { connection: "close" }
  const refused = await fetch(`http://localhost:${port}/mcp`, { method: "POST", headers })
  assert.equal(refused.status, 401)
  const metadata = `http://localhost:${port}/.well-known/oauth-protected-resource/mcp`
  const challenge = `Bearer scope="notes:read notes:write", resource_metadata="${metadata}"`
  assert.equal(refused.headers.get("www-authenticate"), challenge)
  const origin = "https://attacker.example"
  const foreign = await fetch(`http://localhost:${port}/mcp`, {
    method: "POST",
    headers: { ...headers, origin },
  })
  assert.equal(foreign.status, 403)
  const document = (await (await fetch(metadata, { headers })).json()) as Record<string, unknown>
  assert.deepEqual(document, {
    resource: `http://localhost:${port}/mcp`,
    authorization_servers: [service.url],
    bearer_methods_supported: ["header"],
    scopes_supported: ["notes:read", "notes:write"],
    resource_name: "Notes over MCP",
  })
  await endsWell(child)
})

test("the examples say which variable is missing, and end", () => {
  for (const script of ["example:api", "example:mcp"]) {
    const [, ...args] = (scripts[script] ?? "").split(" ")
    const env = environmentWith({ LATCHKEY_CLIENT_ID: "x", LATCHKEY_CLIENT_SECRET: "" })
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, env, encoding: "utf8" })
    assert.equal(status, 1)
    assert.match(stderr, /^LATCHKEY_CLIENT_SECRET is not set\. .+\n$/)
  }
})

test("each example has a port of its own, beside those of the service and the gate", () => {
  const directory = join(root, "examples")
  const ports = readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /^main\.\w+$/.test(entry.name))
    .map(({ parentPath, name }) => {
      const [, port] = /\bPORT\b[^\n]*?\b(\d{4})\b/.exec(readFileSync(join(parentPath, name), "utf8")) ?? []
      assert.ok(port !== undefined, parentPath)
      return port
    })
  assert.ok(ports.length > 5)
  const all = ["8787", "8790", ...ports]
  assert.deepEqual([...new Set(all)], all)
})
