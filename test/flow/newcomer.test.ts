/** Follows docs/getting-started.md step by step, starting with an empty directory. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync } from "node:fs"
import { Browser } from "../support/browser.ts"
import { decide } from "../support/connect.ts"
import { PASSWORD } from "../support/test-server.ts"
import { addApp } from "../support/seed.ts"
import { done, environmentWith, LATCHKEY, newDirectory, SpawnedServer } from "../support/spawn.ts"

const MEMBERS = [
  "access_token",
  "authorization_expires_in",
  "expires_in",
  "refresh_expires_in",
  "refresh_token",
  "refresh_token_timeout",
  "scope",
  "token_id",
  "token_type",
  "user_id",
  "username",
]

test("SVC-2, SVC-7, TOK-1…TOK-11: from an empty directory to a token that the service's own API takes", async (t) => {
  const dir = newDirectory(t)
  assert.deepEqual(readdirSync(dir), [])
  const server = await SpawnedServer.start(t, dir)

  const browser = new Browser(server.url)
  const setUp = await browser.get(server.setupUrl ?? "")
  const link = new URL(server.setupUrl ?? "").searchParams.get("link") ?? ""
  const made = await browser.submit(setUp, "/setup", { link, username: "ada", password: PASSWORD })
  assert.equal(made.status, 303)
  assert.match((await browser.get("/account")).text, /ada/)
  assert.equal((await new Browser(server.url).get(server.setupUrl ?? "")).status, 410)

  const { clientId } = await addApp(dir, {
    type: "public",
    redirectUris: ["http://127.0.0.1/callback"],
    permissions: ["account:read"],
  })
  const printed = await logIn(server, browser, clientId)
  assert.deepEqual(Object.keys(printed).toSorted(), MEMBERS)
  assert.equal(printed["username"], "ada")
  assert.equal(printed["scope"], "account:read")

  const headers = { authorization: `Bearer ${String(printed["access_token"])}` }
  assert.equal((await fetch(`${server.url}/api/account`, { headers })).status, 200)
  await done(dir, ["credential", "revoke", String(printed["token_id"])])
  assert.equal((await fetch(`${server.url}/api/account`, { headers })).status, 401)
})

test("AUTHZ-11: refused in the browser, login says so, prints nothing and ends with 1", async (t) => {
  const dir = newDirectory(t)
  await done(dir, ["account", "add", "ada", "--password-stdin"], PASSWORD)
  const { clientId } = await addApp(dir, { type: "public", redirectUris: ["http://127.0.0.1/callback"] })
  const server = await SpawnedServer.start(t, dir)
  const browser = new Browser(server.url)
  await browser.signIn("ada", PASSWORD)

  const login = startLogin(server, clientId)
  const returned = await decide(browser, await login.address, "refuse")
  assert.equal((await fetch(returned)).status, 400)
  const { code, stdout, stderr } = await login.ended
  assert.equal(code, 1)
  assert.equal(stdout, "")
  assert.match(stderr, /access_denied/)
})

async function logIn(server: SpawnedServer, browser: Browser, clientId: string) {
  const login = startLogin(server, clientId)
  const returned = await decide(browser, await login.address, "authorize")
  assert.equal(returned.hostname, "127.0.0.1")
  const shown = await fetch(returned)
  assert.equal(shown.status, 200)
  assert.match(await shown.text(), /signed in/)
  const { code, stdout, stderr } = await login.ended
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Record<string, unknown>
}

/** Runs `latchkey login` in a terminal. Returns the URL that it shows and how it ends. */
function startLogin(server: SpawnedServer, clientId: string) {
  const args = ["login", "--issuer", server.url, "--client-id", clientId, "--no-browser", "--json"]
  const child = spawn(LATCHKEY, args, { env: environmentWith({}), stdio: ["ignore", "pipe", "pipe"] })
  const said = { stdout: "", stderr: "" }
  const address = new Promise<URL>((resolve, reject) => {
    child.stdout.on("data", (part: Buffer) => (said.stdout += part.toString()))
    child.stderr.on("data", (part: Buffer) => {
      said.stderr += part.toString()
      const found = /^\s+(http\S+)\s*$/m.exec(said.stderr)?.[1]
      if (found !== undefined) resolve(new URL(found))
    })
    child.once("close", () => reject(new Error(`login ended early: ${said.stderr}`)))
  })
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...said }))
  return { address, ended }
}
