/** Cached rows must never be older than the database. */
import assert from "node:assert/strict"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { type Change, decided } from "../../../../src/model/change.rules.ts"
import { openSqlite } from "../../../../src/store/sqlite/sqlite-store.ts"
import type { Store } from "../../../../src/store/store.ts"
import { account, client } from "../../samples.ts"
import { scratchDirectory } from "../../scratch.ts"

const app = client(1)
const holder = account(1)

test("PERM-5 a row that was read before is read again once another process has written it", async (t) => {
  const [server, command] = await opened(t, 2)
  assert.deepEqual(await rows(server), { client: app, account: holder })
  await write(command, { change: "clientChanged", client: { ...app, enabled: false } })
  await write(command, { change: "accountChanged", account: { ...holder, admin: true } })
  const found = await server.change({ client: app.clientId, account: holder.userId }, decided)
  assert.deepEqual([found.client?.enabled, found.account?.admin], [false, true])
  await write(command, { change: "clientRemoved", clientId: app.clientId })
  assert.equal((await rows(server)).client, null)
})

test("a row that was read before is read again once its own process has written it", async (t) => {
  const [store] = await opened(t, 1)
  await rows(store)
  const changing = write(store, { change: "clientChanged", client: { ...app, name: "New" } })
  const after = store.change({ client: app.clientId }, decided)
  await changing
  assert.equal((await after).client?.name, "New")
})

test("what a change that failed had written is forgotten with it", async (t) => {
  const [store] = await opened(t, 1)
  const failing = write(
    store,
    { change: "clientChanged", client: { ...app, name: "Never" } },
    { change: "clientAdded", client: app },
  )
  const after = store.change({ client: app.clientId }, decided)
  await assert.rejects(failing)
  assert.equal((await after).client?.name, app.name)
})

async function opened(t: TestContext, count: 1 | 2): Promise<[Store, Store]> {
  const file = join(scratchDirectory(t), "latchkey.db")
  const first = openSqlite(file)
  const second = count === 2 ? openSqlite(file) : first
  t.after(async () => {
    await first.close()
    await second.close()
  })
  await write(first, { change: "clientAdded", client: app }, { change: "accountAdded", account: holder })
  return [first, second]
}

function rows(store: Store) {
  return store.read({ client: app.clientId, account: holder.userId })
}

function write(store: Store, ...changes: Change[]): Promise<null> {
  return store.change({}, () => decided(null, ...changes))
}
