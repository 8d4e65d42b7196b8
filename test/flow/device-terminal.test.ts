/** Tests the device flow in terminals: `latchkey login --device`, `latchkey elevate`, and a shell script with curl. */
import { before, test, type TestContext } from "node:test"
import assert from "node:assert/strict"
import { join } from "node:path"
import type { Browser } from "../support/browser.ts"
import { type AppIdentity, signedInBrowser } from "../support/connect.ts"
import { addAccount, addApp } from "../support/seed.ts"
import { PASSWORD } from "../support/test-server.ts"
import { LATCHKEY, newDirectory, SpawnedServer, wholeFile } from "../support/spawn.ts"
import { answerDevice, headingOf, openCode } from "../oauth/device/device.ts"
import { Terminal, USER_CODE } from "./terminal.ts"

const SCRIPT = join(import.meta.dirname, "device.sh")

const file = wholeFile()
let dir: string
let server: SpawnedServer
let alice: Browser
let app: AppIdentity

before(async () => {
  dir = newDirectory(file)
  await addAccount(dir, "alice")
  const permissions = ["account:read", "credentials:write"]
  app = await addApp(dir, { type: "public", redirectUris: [], permissions, stepUp: true })
  server = await SpawnedServer.start(file, dir)
  alice = await signedInBrowser(server, "alice")
})

function login(t: TestContext, ...more: readonly string[]): Terminal {
  const args = ["login", "--device", "--issuer", server.url, "--client-id", app.clientId, "--json", ...more]
  return new Terminal(t, LATCHKEY, args)
}

async function api(path: string, token: string, method = "GET"): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(server.url + path, { method, headers })).status
}

test("SVC-4, DEV-2…DEV-4, TOK-1…TOK-9: login --device shows the code and the link, and prints the tokens", async (t) => {
  const terminal = login(t, "--installation-name", "Build box")
  const userCode = await terminal.says(USER_CODE)
  const link = await terminal.says(/^ {2}(http\S+\?\S+)$/m)
  assert.equal(link, `${server.url}/oauth/device?user_code=${userCode}`)
  const page = await alice.get(link)
  assert.ok(page.text.includes("Build box"))
  assert.equal(
    headingOf(await alice.submit(page, "/oauth/consent", { decision: "authorize" })),
    "Your device is connected",
  )

  const { code, stdout, stderr } = await terminal.ended
  assert.equal(code, 0, stderr)
  assert.match(stderr, /█/)
  const tokens = JSON.parse(stdout) as Record<string, string>
  assert.equal(Object.keys(tokens).length, 11)
  assert.equal(tokens["username"], "alice")
  assert.equal(await api("/api/account", tokens["access_token"] ?? ""), 200)
})

test("DG-6, ERR-7: refused on the other screen, it says so, prints nothing and ends with 1", async (t) => {
  const terminal = login(t)
  await answerDevice(alice, { userCode: await terminal.says(USER_CODE) }, "refuse")
  const { code, stdout, stderr } = await terminal.ended
  assert.deepEqual([code, stdout], [1, ""])
  assert.match(stderr, /latchkey: access_denied/)
})

test("DAUTH-1, ERR-1: a refusal at once is printed in the words of the service", async (t) => {
  const scope = await login(t, "--scope", "apps:write").ended
  assert.equal(scope.code, 1)
  assert.match(scope.stderr, /invalid_scope/)
  const args = ["login", "--device", "--issuer", server.url, "--client-id", "0".repeat(26)]
  const unknown = await new Terminal(t, LATCHKEY, args).ended
  assert.equal(unknown.code, 1)
  assert.match(unknown.stderr, /invalid_client/)
})

test("STEP-1…STEP-3, AUTH-9, TOKEN-8: elevate has the account holder asked, and then the action works", async (t) => {
  const tokens = await signedInTerminal(t)
  const other = await signedInTerminal(t)
  const action = `/api/credentials/${other["token_id"]}`
  const token = tokens["access_token"] ?? ""
  assert.equal(await api(action, token, "DELETE"), 400)

  const args = ["elevate", "--issuer", server.url, "--client-id", app.clientId, "--token-stdin"]
  const terminal = new Terminal(t, LATCHKEY, [...args, "--reason", "Remove the old box"], {
    input: `${token}\n`,
  })
  const page = await openCode(alice, await terminal.says(USER_CODE))
  assert.ok(page.text.includes("Remove the old box"))
  await alice.submit(page, "/oauth/consent", { decision: "authorize", password: PASSWORD })
  const { code, stdout, stderr } = await terminal.ended
  assert.equal(code, 0, stderr)
  assert.deepEqual(JSON.parse(stdout), { elevated: true })
  assert.equal(await api(action, token, "DELETE"), 204)
})

test("STEP-4: elevate by an app that may not ask, and with an invalid token, ends with 1", async (t) => {
  const plain = await addApp(dir, { type: "public", redirectUris: [] })
  const args = ["login", "--device", "--issuer", server.url, "--client-id", plain.clientId, "--json"]
  const terminal = new Terminal(t, LATCHKEY, args)
  await answerDevice(alice, { userCode: await terminal.says(USER_CODE) }, "authorize")
  const { access_token: token } = JSON.parse((await terminal.ended).stdout) as { access_token: string }
  for (const [input, said] of [
    [token, /access_denied/],
    ["lka_none", /invalid_token/],
  ] as const) {
    const elevation = ["elevate", "--issuer", server.url, "--client-id", plain.clientId, "--token-stdin"]
    const ended = await new Terminal(t, LATCHKEY, elevation, { input }).ended
    assert.deepEqual([ended.code, ended.stdout], [1, ""])
    assert.match(ended.stderr, said)
  }
})

test("SVC-4, DEV-1…DEV-6, DG-1, DG-3: a shell script with curl gets a token that works", async (t) => {
  const script = new Terminal(t, SCRIPT, [server.url, app.clientId, "account:read"])
  await answerDevice(alice, { userCode: await script.says(USER_CODE) }, "authorize")
  const { code, stdout, stderr } = await script.ended
  assert.equal(code, 0, stderr)
  assert.equal(await api("/api/account", stdout.trim()), 200)
  assert.equal(await api("/api/credentials", stdout.trim()), 403)
})

test("ERR-7: the script ends with the service's words where it is refused", async (t) => {
  const script = new Terminal(t, SCRIPT, [server.url, app.clientId])
  await answerDevice(alice, { userCode: await script.says(USER_CODE) }, "refuse")
  const { code, stdout, stderr } = await script.ended
  assert.deepEqual([code, stdout], [1, ""])
  assert.match(stderr, /refused/)
})

async function signedInTerminal(t: TestContext): Promise<Record<string, string>> {
  const terminal = login(t)
  await answerDevice(alice, { userCode: await terminal.says(USER_CODE) }, "authorize")
  const { code, stdout, stderr } = await terminal.ended
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Record<string, string>
}
