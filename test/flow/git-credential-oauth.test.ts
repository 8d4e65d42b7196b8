/** A real `git clone` through git-credential-oauth as Debian ships it: somebody else's app, in the browser flow. */
import { before, test, type TestContext } from "node:test"
import assert from "node:assert/strict"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Browser } from "../support/browser.ts"
import { type AppIdentity, decide, send } from "../support/connect.ts"
import { addAccount, addApp, addResourceServer } from "../support/furnish.ts"
import { needsGitCredentialOauth, openGitServer } from "../support/git-server.ts"
import { PASSWORD } from "../support/house.ts"
import { done, newDirectory, SpawnedServer, wholeFile } from "../support/spawn.ts"
import { Terminal } from "./terminal.ts"

const file = wholeFile()
let dir: string
let server: SpawnedServer
let app: AppIdentity
let gatekeeper: AppIdentity
let tokens: string[]
let repository: string

before(async () => {
  if ("skip" in needsGitCredentialOauth) return
  dir = newDirectory(file)
  await addAccount(dir, "alice")
  app = await addApp(dir, { name: "git", type: "public", redirectUris: ["http://127.0.0.1"] })
  gatekeeper = await addResourceServer(dir)
  server = await SpawnedServer.start(file, dir)
  tokens = []
  repository = await openGitServer(file, newDirectory(file), server.url, whoHolds)
})

/** The resource server's side: a token is judged by introspection. */
async function whoHolds(token: string): Promise<string | null> {
  tokens.push(token)
  const client = { client_id: gatekeeper.clientId, client_secret: gatekeeper.secret ?? "" }
  const { body } = await send(server, "/oauth/introspect", { ...client, token })
  const isLive = body["active"] === true && String(body["scope"]).split(" ").includes("account:read")
  return isLive ? String(body["username"]) : null
}

/** Clones with nothing configured but the helper and the service; answers the terminal and where the clone goes. */
function clone(t: TestContext) {
  const home = newDirectory(t)
  const { origin } = new URL(repository)
  const settings = {
    "credential.helper": "oauth",
    [`credential.${origin}.oauthClientId`]: app.clientId,
    [`credential.${origin}.oauthScopes`]: "account:read",
    [`credential.${origin}.oauthAuthURL`]: "/oauth/authorize",
    [`credential.${origin}.oauthTokenURL`]: "/oauth/token",
  }
  // The browser that the helper opens is the test's own.
  for (const opener of ["open", "xdg-open"]) writeFileSync(join(home, opener), "#!/bin/sh\n", { mode: 0o755 })
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const target = join(home, "hello")
  const environment = {
    HOME: home,
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_NOSYSTEM: "1",
    PATH: `${home}:${process.env["PATH"]}`,
  }
  const terminal = new Terminal(t, "git", [...options, "clone", repository, target], { environment })
  return { terminal, target }
}

/** What a person does in the browser that the helper tells to open. */
async function consentIn(terminal: Terminal, decision: "authorize" | "refuse"): Promise<URL> {
  const told = await terminal.says(/(http:\S*\/oauth\/authorize\?\S+)/)
  const address = new URL((await fetch(told, { redirect: "manual" })).headers.get("location") ?? "")
  const browser = new Browser(server.url)
  await browser.signIn("alice", PASSWORD)
  return await decide(browser, address, decision)
}

test(
  "SVC-1, SVC-3, REDIR-2, AUTH-2: git clones with a token of the account that consented",
  needsGitCredentialOauth,
  async (t) => {
    const { terminal, target } = clone(t)
    const returned = await consentIn(terminal, "authorize")
    assert.equal(returned.hostname, "127.0.0.1")
    assert.equal((await fetch(returned)).status, 200)
    const { code, stderr } = await terminal.ended
    assert.equal(code, 0, stderr)
    assert.ok(existsSync(join(target, ".git", "HEAD")))
    assert.ok(tokens.length > 0 && tokens.every((token) => token.startsWith("lka_")))

    const held = await done<{ client_id: string; state: string; token_id: string }[]>(dir, [
      "credential",
      "list",
    ])
    assert.deepEqual([held[0]?.client_id, held[0]?.state], [app.clientId, "active"])
    await done(dir, ["credential", "revoke", held[0]?.token_id ?? ""])
    assert.equal(await whoHolds(tokens.at(-1) ?? ""), null)
  },
)

test("AUTHZ-11: refused in the browser, nothing is cloned", needsGitCredentialOauth, async (t) => {
  const { terminal, target } = clone(t)
  await fetch(await consentIn(terminal, "refuse"))
  const { code } = await terminal.ended
  assert.notEqual(code, 0)
  assert.equal(existsSync(target), false)
})
