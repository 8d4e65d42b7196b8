/** Tests when a batch begins, and when a change that runs alone does. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type { TokenId } from "../../../../src/kernel/ids.ts"
import type { Account } from "../../../../src/model/account.rules.ts"
import { decided } from "../../../../src/model/change.rules.ts"
import { openPostgres } from "../../../../src/store/postgres/postgres-store.ts"
import { openConnection } from "../../../support/open-connection.ts"
import { freshDatabase, needsPostgres, rowsOf, WAITING_FOR_LOCK } from "../../../support/postgres.ts"
import { until } from "../../../support/until.ts"
import { account, id } from "../../samples.ts"

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

describe("changes that wait for a locked row", needsPostgres, () => {
  it("hold up no change of other rows that runs alone too", async (t) => {
    const { url, drop } = await freshDatabase({ migrated: true })
    const store = await openPostgres(url)
    const other = await openConnection(url)
    t.after(async () => {
      await store.close()
      await drop()
    })
    const [ada, bob] = [account(0), account(1)]
    await store.change({}, () =>
      decided(null, { change: "accountAdded", account: ada }, { change: "accountAdded", account: bob }),
    )
    const change = ({ userId }: Account) =>
      store.change({ account: userId }, ({ account: found }) =>
        decided(userId, { change: "accountChanged", account: found ?? assert.fail("no account") }),
      )
    await other.query("BEGIN", [])
    await other.query("SELECT 1 FROM account WHERE user_id = ? FOR UPDATE", [ada.userId])
    let isAnswered = false
    const held = Array.from({ length: 12 }, () => change(ada).finally(() => (isAnswered = true)))
    for (const one of held) one.catch(() => undefined)
    await until(async () => (await rowsOf(url, WAITING_FOR_LOCK)).length > 1, "several wait for the row")
    assert.equal(await change(bob), bob.userId)
    assert.equal(isAnswered, false)
    await other.end()
    assert.equal(await change(ada), ada.userId)
    await Promise.allSettled(held)
  })
})
