/** Tests when a batch begins. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type { TokenId } from "../../../../src/kernel/ids.ts"
import { openPostgres } from "../../../../src/store/postgres/postgres-store.ts"
import { openConnection } from "../../../support/open-connection.ts"
import { freshDatabase, needsPostgres, rowsOf, WAITING_FOR_LOCK } from "../../../support/postgres.ts"
import { until } from "../../../support/until.ts"
import { id } from "../../samples.ts"

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
    await until(async () => (await rowsOf(url, WAITING_FOR_LOCK)).length > 0, "the batch waits for the lock")
    assert.deepEqual(await store.read({ credential: id<TokenId>("t") }), { credential: null })
    assert.equal(isAnswered, false)
    await other.end()
    assert.deepEqual(await first, { setting: null })
  })
})
