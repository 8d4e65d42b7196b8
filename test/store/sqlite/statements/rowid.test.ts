/** Tests rowids that are already taken, and numbers that are no longer used. */
import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test, type TestContext } from "node:test"
import type { TokenId } from "../../../../src/kernel/ids.ts"
import { type Change, decided } from "../../../../src/model/change.rules.ts"
import { DAY } from "../../../../src/kernel/time.ts"
import { openSqlite } from "../../../../src/store/sqlite/sqlite-store.ts"
import type { Store } from "../../../../src/store/store.ts"
import { account, active, client, id, issued, NOW } from "../../samples.ts"
import { scratchDirectory } from "../../scratch.ts"

/** Identifiers that differ only in their last digits. All have the same first rowid. */
const colliding = Array.from(
  { length: 100 },
  (_, i) => `0000000007t0000000000${String(i).padStart(5, "0")}` as TokenId,
)

test("GRANT credentials of one moment are found, listed once each and changed, wherever they lie", async (t) => {
  const { store, count } = opened(t)
  await write(store, ...collidingCredentials())
  assert.equal(count("credential_aside"), colliding.length - 1)
  for (const tokenId of colliding) {
    const { credential } = await store.read({ credential: tokenId })
    assert.equal(credential?.consent.tokenId, tokenId)
  }
  const seen: TokenId[] = []
  for (let after: string | undefined; seen.length < colliding.length; after = seen.at(-1)) {
    const page = await store.credentials({ userId: id("a") }, { after, limit: 7 })
    assert.ok(page.length > 0)
    seen.push(...page.map(({ credential }) => credential.consent.tokenId))
  }
  assert.deepEqual([...seen].sort(), colliding)
  const last = active(0, { tokenId: colliding.at(-1) ?? assert.fail() })
  await write(store, { change: "credentialChanged", credential: last })
  assert.equal((await store.read({ credential: last.consent.tokenId })).credential?.life.state, "active")
  assert.deepEqual(await store.verify(), [])
})

test("GRANT an identifier is taken once, at home or aside", async (t) => {
  const { store } = opened(t)
  await write(store, ...collidingCredentials())
  for (const tokenId of [colliding[0], colliding[50]]) {
    const again = issued(0, { tokenId: tokenId ?? assert.fail() })
    await assert.rejects(write(store, { change: "credentialAdded", credential: again }), /already/)
  }
})

test("GRANT numbers go with the last credential of an app and an account that are gone", async (t) => {
  const { store, count } = opened(t)
  await write(store, ...collidingCredentials())
  assert.deepEqual([count("name"), count("scope")], [2, 1])
  await write(
    store,
    { change: "credentialsRevoked", of: { clientId: id("c") }, at: NOW, because: "app-removed" },
    { change: "clientRemoved", clientId: id("c") },
    { change: "accountRemoved", userId: id("a") },
  )
  assert.deepEqual([count("name"), count("scope")], [2, 1])
  await store.sweep(NOW + 9 * DAY, 60)
  assert.deepEqual([count("credential_row"), count("name")], [40, 2])
  await store.sweep(NOW + 9 * DAY, 60)
  assert.deepEqual(["credential_row", "credential_aside", "name", "scope"].map(count), [0, 0, 0, 0])
})

test("GRANT more consents of one app than have numbers are written out, and read alike", async (t) => {
  const { store, count } = opened(t)
  const many = Array.from({ length: 12 }, (_, i) => issued(i, { scope: [`a:${i}`] as never }))
  await write(
    store,
    ...people(),
    ...many.map((credential): Change => ({ change: "credentialAdded", credential })),
  )
  assert.equal(count("scope"), 8)
  for (const { consent } of many)
    assert.deepEqual((await store.read({ credential: consent.tokenId })).credential?.consent, consent)
})

function people(): Change[] {
  return [
    { change: "accountAdded", account: account() },
    { change: "clientAdded", client: client() },
  ]
}

function collidingCredentials(): Change[] {
  const added = colliding.map((tokenId): Change => ({
    change: "credentialAdded",
    credential: issued(0, { tokenId }),
  }))
  return [...people(), ...added]
}

function opened(t: TestContext): { store: Store; count: (table: string) => number } {
  const file = join(scratchDirectory(t), "latchkey.db")
  const store = openSqlite(file)
  t.after(() => store.close())
  const count = (table: string) => {
    const database = new DatabaseSync(file, { readOnly: true })
    const row = database.prepare(`SELECT count(*) AS count FROM ${table}`).get()
    database.close()
    return Number(row?.["count"])
  }
  return { store, count }
}

function write(store: Store, ...changes: Change[]): Promise<null> {
  return store.change({}, () => decided(null, ...changes))
}
