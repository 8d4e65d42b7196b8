import { COUNTER, counterOf } from "../../counter.ts"
import assert from "node:assert/strict"
import { statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, it } from "node:test"
import { decided } from "../../../../src/model/change.rules.ts"
import { openSqlite } from "../../../../src/store/sqlite/sqlite-store.ts"
import type { Store } from "../../../../src/store/store.ts"
import { StoreUnavailable } from "../../../../src/store/unavailable.ts"
import { account } from "../../samples.ts"
import { scratchDirectory, startChild } from "../../scratch.ts"

/** Checks that every answered number has its account. The counter must agree with the number of accounts. */
async function assertNothingLost(store: Store, answered: readonly number[]): Promise<void> {
  const there = await store.accounts({ limit: 1_000_000 })
  const numbers = new Set(there.map(({ userId }) => Number(userId.slice(-15))))
  assert.deepEqual(
    answered.filter((number) => !numbers.has(number)),
    [],
  )
  assert.equal(counterOf((await store.read({ setting: COUNTER })).setting), there.length)
}

describe("a database whose process or disk fails", () => {
  it("kill -9 in the middle of writing, eight times: no answered write is lost", async (t) => {
    const file = join(scratchDirectory(t), "latchkey.db")
    const answered: number[] = []
    for (let round = 0; round < 8; round++) {
      const child = startChild("write", [file, String(round * 100_000)])
      for (let heard = 0; heard < 40 + round; heard++) answered.push(Number(await child.line()))
      answered.push(...(await child.kill()).map(Number))
    }
    const store = openSqlite(file)
    await assertNothingLost(store, answered)
    assert.deepEqual(await store.verify(), [])
    await store.close()
  })

  it("a file that can grow no more: StoreUnavailable, reads go on, nothing answered is lost", async (t) => {
    const file = join(scratchDirectory(t), "latchkey.db")
    await openSqlite(file).close()
    const child = startChild("write", [file, "0", "4"], 600)
    const answered: number[] = []
    let line = await child.line()
    for (; line !== null && /^[0-9]+$/.test(line); line = await child.line()) answered.push(Number(line))
    assert.equal(line, "StoreUnavailable")
    assert.equal(await child.line(), `still reads ${answered.length}`)
    assert.equal(await child.ended(), 0)
    const store = openSqlite(file)
    await assertNothingLost(store, answered)
    await store.close()
  })

  it("a neighbour that keeps the lock: StoreUnavailable for all that waited, and well again after", async (t) => {
    const file = join(scratchDirectory(t), "latchkey.db")
    const store = openSqlite(file, { busyMilliseconds: 10 })
    const add = (number: number) =>
      store.change({}, () => decided(number, { change: "accountAdded", account: account(number) }))
    await add(0)
    const neighbour = new DatabaseSync(file)
    neighbour.exec("BEGIN IMMEDIATE")
    const settled = await Promise.allSettled([add(1), add(2)])
    for (const one of settled) assert.ok(one.status === "rejected" && one.reason instanceof StoreUnavailable)
    assert.equal(await store.sweep(0, 1), 0)
    assert.deepEqual((await store.read({ anyAccount: true })).anyAccount, { userId: account(0).userId })
    neighbour.exec("ROLLBACK")
    neighbour.close()
    assert.deepEqual(await Promise.all([add(1), add(2)]), [1, 2])
    await store.close()
  })

  it("a database damaged on disk is not served as an empty one", (t) => {
    const file = join(scratchDirectory(t), "latchkey.db")
    writeFileSync(file, "this is not a database, whatever its name says".repeat(100))
    assert.throws(() => openSqlite(file), /not a database/)
  })

  it("changes that write nothing do not touch the disk", async (t) => {
    const file = join(scratchDirectory(t), "latchkey.db")
    const store = openSqlite(file)
    const before = statSync(`${file}-wal`)
    await Promise.all(Array.from({ length: 50 }, () => store.change({ anyAccount: true }, () => decided(1))))
    const after = statSync(`${file}-wal`)
    assert.deepEqual([after.size, after.mtimeMs], [before.size, before.mtimeMs])
    await store.close()
  })
})
