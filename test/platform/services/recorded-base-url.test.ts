/** Tests the stored base URL: links of commands, and nodes that do not agree. Runs on the engine of this run. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { decided } from "../../../src/model/change.rules.ts"
import { metaKeys } from "../../../src/store/loadable.ts"
import { addAccount } from "../../support/seed.ts"
import { freePort } from "../../support/free-port.ts"
import { MailServer } from "../../support/mail-server.ts"
import { recordNode } from "../../../src/platform/services/secret/nodes.ts"
import { databaseIn, ENGINE } from "../../support/database.ts"
import { OneProcess } from "../../support/one-process.ts"
import { done, newDirectory, SpawnedServer, wholeFile } from "../../support/spawn.ts"
import { TestServer } from "../../support/test-server.ts"
import { recordLog } from "../../support/record-log.ts"

const SERVED = "https://id.example.org/auth"

const oneProcess = OneProcess.start(wholeFile())

async function urlOfRecovery(
  dir: string,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const command = ["account", "recover", "ada", "--data", dir, ...args]
  const all = { ...(await databaseIn(dir)).environment, ...environment }
  const { stdout, stderr } = await oneProcess.run(command, { environment: all })
  assert.match(stdout, /\/recover\?link=/, stderr)
  return stdout.slice(0, stdout.indexOf("/recover?link="))
}

test("BASE-1 links of commands begin with the flag, then the variable, then what the service last served with", async (t) => {
  const dir = newDirectory(t)
  await addAccount(dir, "ada")
  assert.equal(await urlOfRecovery(dir), "http://localhost:8787", "before the first start")
  const server = await SpawnedServer.start(t, dir, { LATCHKEY_BASE_URL: `${SERVED}/` })
  await server.stop()
  assert.equal(await urlOfRecovery(dir), SERVED)
  assert.equal(
    await urlOfRecovery(dir, ["--base-url", "https://flag.example.org"]),
    "https://flag.example.org",
  )
  const environment = { LATCHKEY_BASE_URL: "https://variable.example.org" }
  assert.equal(await urlOfRecovery(dir, [], environment), environment.LATCHKEY_BASE_URL)
  const wrong = await oneProcess.run(["provider", "list", "--data", dir, "--base-url", "id.example.org"], {
    environment: (await databaseIn(dir)).environment,
  })
  assert.deepEqual([wrong.code, wrong.stdout], [2, ""], wrong.stderr)
})

test("ENV-1 a base URL that cannot be used is refused by the name of what set it", async (t) => {
  const dir = newDirectory(t)
  await addAccount(dir, "ada")
  writeFileSync(
    join(dir, "latchkey.yaml"),
    `mail: { smtp_url: "smtp://127.0.0.1:1", from: id@example.org }\n`,
  )
  const commands = ["account recover ada", "account totp ada", "mail test a@example.org", "provider list"]
  for (const words of commands) {
    const command = [...words.split(" "), "--data", dir]
    const { environment } = await databaseIn(dir)
    const variable = { ...environment, LATCHKEY_BASE_URL: "id.example.org" }
    assert.match(
      (await oneProcess.run(command, { environment: variable })).stderr,
      /^latchkey: LATCHKEY_BASE_URL "/,
    )
    const byFlag = await oneProcess.run([...command, "--base-url", "id.example.org"], { environment })
    assert.match(byFlag.stderr, /^latchkey: --base-url "/, words)
  }
})

test("BASE-1 mail test and provider list use the stored base URL", async (t) => {
  const mails = await MailServer.open()
  t.after(() => mails.close())
  const dir = newDirectory(t)
  writeFileSync(join(dir, "secret.txt"), "the secret of the provider\n")
  writeFileSync(
    join(dir, "latchkey.yaml"),
    `mail: { smtp_url: "smtp://127.0.0.1:${mails.port}", from: id@example.org }
sign_in_providers:
  - { name: office, issuer: "https://office.example.org", client_id: id, client_secret_file: secret.txt }
`,
  )
  const server = await SpawnedServer.start(t, dir, { LATCHKEY_BASE_URL: SERVED })
  await server.stop()
  await done(dir, ["mail", "test", "ada@example.org"])
  assert.ok(mails.mails[0]?.text?.includes(`${SERVED}/account`), mails.mails[0]?.text)
  const [provider] = await done<{ redirect_uri: string }[]>(dir, ["provider", "list"])
  assert.equal(provider?.redirect_uri, `${SERVED}/sign-in/with/office/callback`)
})

test("BASE-2 a start with another base URL than the last is logged, and a node that differs says so on /health", async (t) => {
  const { log, lines } = recordLog()
  const server = await TestServer.open({ log, baseUrl: "https://one.example.org" })
  t.after(() => server.close())
  const health = async () => (await fetch(`${server.url}/health`)).json()
  assert.deepEqual(await health(), { status: "ok" })
  const differs = () => lines.filter(({ msg }) => /another base URL/.test(String(msg)))
  assert.deepEqual(differs(), [])
  await server.restart()
  assert.deepEqual(differs(), [], "the same base URL again")
  // What another node with another base URL stores when it starts.
  const other = { change: "metaSet", key: metaKeys.baseUrl, value: "https://two.example.org" } as const
  await server.store.change({}, () => decided(null, other))
  const response = await fetch(`${server.url}/health`)
  assert.equal(response.status, 200)
  assert.deepEqual(await response.json(), { status: "ok", base_url: "differs" })
  await server.restart()
  const [warning] = differs()
  assert.deepEqual(
    [warning?.["baseUrl"], warning?.["former"]],
    ["https://one.example.org", "https://two.example.org"],
  )
  assert.deepEqual(await health(), { status: "ok" }, "it serves with this one now")
})

test("BASE-2 /health says so while a node that was seen in the last minute serves another base URL", async (t) => {
  const server = await TestServer.open({ baseUrl: "https://one.example.org" })
  t.after(() => server.close())
  const health = async () => (await fetch(`${server.url}/health`)).json()
  const record = (id: string, baseUrl?: string) =>
    recordNode(server.store, id, { name: id, at: server.clock.now(), holds: [], baseUrl })
  await record("same", "https://one.example.org")
  await record("older version")
  assert.deepEqual(await health(), { status: "ok" })
  await record("other", "https://two.example.org")
  assert.deepEqual(await health(), { status: "ok", base_url: "differs" })
  server.clock.advance(66)
  assert.deepEqual(await health(), { status: "ok" }, "it was not seen for a minute")
})

if (ENGINE === "postgres")
  test("BASE-2 of two nodes with different base URLs both say so, whichever started first", async (t) => {
    const dir = newDirectory(t)
    const { environment } = await databaseIn(dir)
    const start = async (name: string) => {
      const port = await freePort()
      const baseUrl = `https://${name}.example.org`
      const given = { ...environment, LATCHKEY_BASE_URL: baseUrl, LATCHKEY_PORT: String(port) }
      const server = await SpawnedServer.start(t, newDirectory(t), given)
      return { server, health: async () => (await fetch(`http://127.0.0.1:${port}/health`)).json() }
    }
    const first = await start("one")
    assert.deepEqual(await first.health(), { status: "ok" })
    const second = await start("two")
    for (const node of [first, second])
      assert.deepEqual(await node.health(), { status: "ok", base_url: "differs" })
    assert.match(second.server.stderr, /all nodes need the same --base-url/)
    await first.server.stop()
    assert.deepEqual(await second.health(), { status: "ok" })
  })
