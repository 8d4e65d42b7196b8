/** A key is made and an assertion is signed with the commands of docs/clients.md. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { done, environmentWith, newDirectory, SpawnedServer } from "../support/spawn.ts"
import { openssl } from "./curl.ts"
import { commands } from "./documented.ts"

const run = promisify(execFile)

test("KEY-4, SERVICE-3: the documented commands make a key, and sign for a token", openssl, async (t) => {
  const [dir, cwd] = [newDirectory(t), newDirectory(t)]
  await run("sh", ["-eu", "-c", commands("key")], { cwd })
  await done(dir, ["account", "add", "ci", "--service"])
  const app = await done<{ readonly client_id: string }>(dir, [
    ...["app", "add", "--name", "CI", "--type", "confidential", "--auth", "private_key_jwt"],
    ...["--jwks", join(cwd, "keys.json"), "--permission", "account:read", "--service-account", "ci"],
  ])
  const server = await SpawnedServer.start(t, dir)
  const env = environmentWith({ base: server.url, client: app.client_id })
  const script = [commands("assertion"), commands("service-account")].join("\n")
  const { stdout } = await run("sh", ["-eu", "-c", script], { cwd, env })
  const answer = JSON.parse(stdout) as Readonly<Record<string, unknown>>
  assert.deepEqual([answer["username"], answer["scope"]], ["ci", "account:read"])
})
