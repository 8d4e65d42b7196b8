/** Tests when a batch begins. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { setImmediate as nextTurn } from "node:timers/promises"
import type { TokenId } from "../../../../src/kernel/ids.ts"
import { openPostgres } from "../../../../src/store/postgres/postgres-store.ts"
import { openConnection } from "../../../support/open-connection.ts"
import { freshDatabase, needsPostgres, rowsOf } from "../../../support/postgres.ts"
import { id } from "../../samples.ts"

const WAITS_FOR_A_LOCK = `
  SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

describe("a batch that takes long", needsPostgres, () => {
  it("holds up no few that come after it, and is answered when it can be", async (t) => {
    const { url, drop } = await freshDatabase({ migrated: true })
    const store = await openPostgres(url)
    const other = await openConnection(url)
    t.after(async () => {
      await store.close()
      await drop()
    })
    await other.query("BEGIN", [])
    await other.query("LOCK TABLE setting IN ACCESS EXCLUSIVE MODE", [])
    let isAnswered = false
    const first = store.read({ setting: "a" }).finally(() => (isAnswered = true))
    while ((await rowsOf(url, WAITS_FOR_A_LOCK)).length === 0) await nextTurn()
    assert.deepEqual(await store.read({ credential: id<TokenId>("t") }), { credential: null })
    assert.equal(isAnswered, false)
    await other.end()
    assert.deepEqual(await first, { setting: null })
  })
})
