/** Tests the credential commands with a credential that an app really has. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { connect } from "../../support/connect.ts"
import { addAccount, addApp } from "../../support/seed.ts"
import { done, latchkey, newDirectory, SpawnedServer } from "../../support/spawn.ts"

type Listed = Readonly<Record<string, unknown>> & { readonly token_id: string }

test("CRED-3: credentials are listed with consent, reach and state, and revoked beside a running server", async (t) => {
  const dir = newDirectory(t)
  await addAccount(dir, "ada")
  await addAccount(dir, "bob")
  const app = await addApp(dir, { type: "public" })
  const server = await SpawnedServer.start(t, dir)
  const tokens = await connect(server, app, "ada", { installation_name: "My laptop" })
  const list = (...args: readonly string[]) => done<Listed[]>(dir, ["credential", "list", ...args])

  const [held] = await list()
  const { consented_at, rotated_at, ends_at, ...rest } = held ?? ({} as Listed)
  assert.deepEqual(rest, {
    token_id: tokens.token_id,
    client_id: app.clientId,
    user_id: tokens.user_id,
    username: "ada",
    installation_name: "My laptop",
    scope: "account:read credentials:read",
    reach: "account:read credentials:read",
    state: "active",
    elevated_until: null,
  })
  assert.ok(Number.isInteger(consented_at) && Number.isInteger(rotated_at))
  assert.equal(ends_at, Number(consented_at) + 365 * 24 * 60 * 60)
  assert.deepEqual(await list("--account", "ADA", "--app", app.clientId), [held])
  assert.deepEqual(await list("--account", "bob"), [])

  await done(dir, ["app", "update", app.clientId, "--remove-permission", "credentials:read"])
  assert.equal((await list())[0]?.["reach"], "account:read")
  await done(dir, ["account", "disable", "ada"])
  assert.equal((await list())[0]?.["reach"], "")
  await done(dir, ["account", "enable", "ada"])

  const revoked = await done<Listed>(dir, ["credential", "revoke", tokens.token_id])
  assert.equal(revoked["state"], "revoked")
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  assert.equal((await fetch(`${server.url}/api/credential`, { headers })).status, 401)
  const again = await latchkey(["credential", "revoke", tokens.token_id, "--data", dir])
  assert.equal(again.code, 0)
  assert.match(again.stderr, /had already ended: revoked/)
})
