import assert from "node:assert/strict"
import { describe, it, type TestContext } from "node:test"
import pg from "pg"
import { type Change, decided } from "../../../../src/model/change.rules.ts"
import { event } from "../../../../src/model/event.rules.ts"
import { EVENTS_KEPT_DAYS } from "../../../../src/kernel/limits.ts"
import { DAY } from "../../../../src/kernel/time.ts"
import { openPostgres } from "../../../../src/store/postgres/postgres-store.ts"
import type { Store } from "../../../../src/store/store.ts"
import { freshDatabase, needsPostgres, rowsOf } from "../../../support/postgres.ts"
import { NOW } from "../../samples.ts"

const EVENTS = 300
const LATER = NOW + (EVENTS_KEPT_DAYS.usual + 1) * DAY

async function nodes(t: TestContext, count: number): Promise<{ url: string; stores: Store[] }> {
  const { url, drop } = await freshDatabase({ migrated: true })
  const stores = await Promise.all(Array.from({ length: count }, () => openPostgres(url, { poolSize: 3 })))
  t.after(async () => {
    for (const store of stores) await store.close()
    await drop()
  })
  const changes = Array.from({ length: EVENTS }, (_, i): Change => {
    return { change: "eventRecorded", event: event("signed-in", NOW + i) }
  })
  await stores[0]?.change({}, () => decided(null, ...changes))
  return { url, stores }
}

describe("the sweep on PostgreSQL", needsPostgres, () => {
  it("of several nodes at once takes each row once, and no node takes more than the limit", async (t) => {
    const { url, stores } = await nodes(t, 3)
    let gone = 0
    for (let round = 0; gone < EVENTS; round++) {
      assert.ok(round < EVENTS, `only ${gone} went`)
      const each = await Promise.all(stores.map((store) => store.sweep(LATER, 20)))
      for (const count of each) assert.ok(count <= 20, `${count} went at once`)
      gone += each.reduce((sum, count) => sum + count, 0)
    }
    assert.equal(gone, EVENTS)
    assert.deepEqual(await rowsOf(url, "SELECT id FROM event"), [])
  })

  it("does not wait: what another transaction holds stays for the next time", async (t) => {
    const { url, stores } = await nodes(t, 1)
    const [store] = stores
    const other = new pg.Client({ connectionString: url })
    await other.connect()
    await other.query("BEGIN")
    const { rows } = await other.query("SELECT id FROM event ORDER BY at LIMIT 7 FOR UPDATE")
    assert.equal(rows.length, 7)
    assert.equal(await store?.sweep(LATER, 1000), EVENTS - 7)
    await other.query("ROLLBACK")
    await other.end()
    assert.equal(await store?.sweep(LATER, 1000), 7)
  })
})
