/** What the log says when the service starts. */
import assert from "node:assert/strict"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { FIRST_VERSION } from "../../src/store/schema-steps.ts"
import { version } from "../../src/kernel/process/version.ts"
import { ENGINE } from "../support/database.ts"
import { latchkey, newDirectory, SpawnedServer } from "../support/spawn.ts"
import { until } from "../support/until.ts"

type Line = Readonly<Record<string, unknown>>
const linesOf = (server: SpawnedServer) =>
  server.stderr.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as Line] : []))

test("LOG-1, CHART-1, GROUP-1 a start says what runs and what was recovered, in levels that are words, and which permissions and groups are missing", async (t) => {
  const dir = newDirectory(t)
  const config = join(dir, "other.yaml")
  writeFileSync(config, "permissions: { worker:read: { title: See workers, for_groups: [staff, crew] } }")
  const app = ["--name", "Notes", "--type", "public", "--redirect", "http://127.0.0.1/"]
  const added = await latchkey([
    ...["app", "add", ...app, "--permission", "worker:read", "--permission", "account:read"],
    ...["--data", dir, "--config", config],
  ])
  assert.equal(added.code, 0, added.stderr)
  const group = await latchkey(["group", "add", "staff", "--data", dir])
  assert.equal(group.code, 0, group.stderr)
  const killed = await SpawnedServer.start(t, dir)
  const warning = () => linesOf(killed).find(({ msg }) => /does not define/.test(String(msg)))
  await until(() => warning() !== undefined, "the warning")
  assert.deepEqual([warning()?.["level"], warning()?.["permissions"]], ["warn", ["worker:read"]])
  const starting = linesOf(killed).find(({ msg }) => msg === "starting")
  assert.deepEqual(
    [starting?.["level"], starting?.["version"], starting?.["engine"]],
    ["info", version, ENGINE],
  )
  assert.ok(Number(starting?.["schema"]) > FIRST_VERSION)
  assert.ok(!killed.stderr.includes("not clean"))
  await killed.stop("SIGKILL")
  if (ENGINE === "sqlite") chmodSync(join(dir, "secret.key"), 0o644)
  assert.ok(!killed.stderr.includes("for_groups"))
  const again = await SpawnedServer.start(t, dir, { LATCHKEY_CONFIG: config })
  await until(() => again.stderr.includes('"serving"'), "it serves")
  const missing = () => linesOf(again).find(({ msg }) => String(msg).startsWith("for_groups names"))
  await until(() => missing() !== undefined, "the warning of a group that is missing")
  assert.deepEqual([missing()?.["level"], missing()?.["groups"]], ["warn", ["crew"]])
  assert.equal(again.stderr.includes("the last stop was not clean"), ENGINE === "sqlite")
  assert.equal(again.stderr.includes("other users of this machine can read"), ENGINE === "sqlite")
  await again.stop()
  assert.ok(!again.stderr.includes("does not define") && !again.stderr.includes("openid.enabled"))
})

test("LOG-1, OIDC-1 a start says that OpenID Connect is off, and which permission of the configuration file keeps it off", async (t) => {
  const dir = newDirectory(t)
  const config = join(dir, "own.yaml")
  writeFileSync(config, "permissions: { email: { title: Read your mail } }")
  const on = await latchkey(["setting", "set", "openid.enabled", "on", "--data", dir])
  assert.equal(on.code, 0, on.stderr)
  const server = await SpawnedServer.start(t, dir, { LATCHKEY_CONFIG: config })
  const warnings = () => linesOf(server).filter(({ msg }) => String(msg).startsWith("openid.enabled is on"))
  await until(() => warnings().length > 0, "the warning")
  assert.deepEqual(
    warnings().map(({ level, problem }) => [level, problem]),
    [["warn", "The configuration file defines email, which OpenID Connect needs for itself."]],
  )
  assert.equal((await fetch(`${server.url}/.well-known/openid-configuration`)).status, 404)
})
