/** Another process changes a registration while the server runs. The change applies to the next request. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { connect, own, refresh, send } from "../support/connect.ts"
import { addAccount, addApp, addResourceServer } from "../support/seed.ts"
import { done, newDirectory, SpawnedServer } from "../support/spawn.ts"

type Listed = { readonly token_id: string; readonly scope: string; readonly reach: string }

test("PERM-5…PERM-7, CLIENT-7, INTRO-1: a permission taken away is gone at the next request, and back when restored", async (t) => {
  const dir = newDirectory(t)
  await addAccount(dir, "alice")
  const app = await addApp(dir, { type: "public" })
  const other = await addApp(dir, { type: "public", name: "Other" })
  const resourceServer = await addResourceServer(dir)
  const server = await SpawnedServer.start(t, dir)
  const held = await connect(server, app, "alice")
  const untouched = await connect(server, other, "alice")

  const introspection = async (token: string) =>
    (await send(server, "/oauth/introspect", { ...own(resourceServer), token })).body
  const account = (token: string) =>
    fetch(`${server.url}/api/account`, { headers: { authorization: `Bearer ${token}` } })
  const listed = async () => {
    const all = await done<Listed[]>(dir, ["credential", "list"])
    return all.map(({ reach, ...rest }) => ({ rest, reach }))
  }
  const before = { introspected: await introspection(held.access_token), listed: await listed() }
  assert.equal((await account(held.access_token)).status, 200)

  await done(dir, ["app", "update", app.clientId, "--remove-permission", "account:read"])
  const without = await account(held.access_token)
  assert.equal(without.status, 403)
  assert.match(
    without.headers.get("www-authenticate") ?? "",
    /error="insufficient_scope".*scope="account:read"/,
  )
  assert.deepEqual(await introspection(held.access_token), {
    ...before.introspected,
    scope: "credentials:read",
  })
  assert.equal((await account(untouched.access_token)).status, 200)
  const [mine, others] = await listed()
  assert.deepEqual(mine, { rest: before.listed[0]?.rest, reach: "credentials:read" })
  assert.deepEqual(others, before.listed[1])

  await done(dir, ["app", "update", app.clientId, "--add-permission", "account:read"])
  assert.equal((await account(held.access_token)).status, 200)
  assert.deepEqual(await introspection(held.access_token), before.introspected)
  assert.deepEqual(await listed(), before.listed)
  const refreshed = await refresh(server, app, held.refresh_token)
  assert.equal(refreshed.body["scope"], "account:read credentials:read")
})

test("PERM-6: a refresh while the permission is away shows it in scope, and the next one after shows it again", async (t) => {
  const dir = newDirectory(t)
  await addAccount(dir, "alice")
  const app = await addApp(dir, { type: "public" })
  const server = await SpawnedServer.start(t, dir)
  const held = await connect(server, app, "alice")

  await done(dir, ["app", "update", app.clientId, "--remove-permission", "credentials:read"])
  const away = await refresh(server, app, held.refresh_token)
  assert.equal(away.body["scope"], "account:read")
  await done(dir, ["app", "update", app.clientId, "--add-permission", "credentials:read"])
  const back = await refresh(server, app, String(away.body["refresh_token"]))
  assert.equal(back.body["scope"], "account:read credentials:read")
})
