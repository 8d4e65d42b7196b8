import { COUNTER, counted, counterOf } from "../../counter.ts"
import assert from "node:assert/strict"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, it } from "node:test"
import { decided } from "../../../../src/model/change.rules.ts"
import { openSqlite } from "../../../../src/store/sqlite/sqlite-store.ts"
import type { Store } from "../../../../src/store/store.ts"
import { account } from "../../samples.ts"
import { scratchDirectory, startChild } from "../../scratch.ts"

/** Adds an account and increments the counter in the same change. In a consistent copy, both numbers agree. */
function add(store: Store, number: number): Promise<null> {
  return store.change({ setting: COUNTER }, ({ setting }) =>
    decided(
      null,
      { change: "settingSet", key: COUNTER, value: counted(counterOf(setting) + 1) },
      { change: "accountAdded", account: account(number) },
    ),
  )
}

async function addMany(store: Store, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, number) => add(store, number)))
}

describe("backup", () => {
  it("a copy made while the service writes is one moment of it, whole, and opens", async (t) => {
    const dir = scratchDirectory(t)
    const store = openSqlite(join(dir, "latchkey.db"))
    await addMany(store, 20_000)
    const copy = join(dir, "copy.db")
    const seen: number[] = []
    const copying = { isDone: false }
    const copied = store
      .backup(copy, (done, of) => seen.push(done / of))
      .finally(() => (copying.isDone = true))
    let written = 20_000
    while (!copying.isDone) await add(store, written++)
    await copied

    assert.equal(statSync(copy).mode & 0o777, 0o600)
    assert.deepEqual(
      readdirSync(dir).filter((name) => name.startsWith("copy")),
      ["copy.db"],
    )
    assert.equal(seen.at(-1), 1)
    const opened = openSqlite(copy)
    const count = (await opened.accounts({ limit: 1_000_000 })).length
    assert.ok(count >= 20_000 && count <= written, `${count} of ${written}`)
    assert.equal(counterOf((await opened.read({ setting: COUNTER })).setting), count)
    assert.deepEqual(await opened.verify(), [])
    await opened.close()
    await store.close()
  })

  it("refuses a file that is there, and leaves it as it was", async (t) => {
    const dir = scratchDirectory(t)
    const store = openSqlite(join(dir, "latchkey.db"))
    const copy = join(dir, "copy.db")
    writeFileSync(copy, "mine")
    await assert.rejects(store.backup(copy), { code: "EEXIST" })
    assert.equal(readFileSync(copy, "utf8"), "mine")
    assert.deepEqual(
      readdirSync(dir).filter((name) => name.startsWith("copy")),
      ["copy.db"],
    )
    await store.close()
  })

  it("one that was killed leaves nothing under the name", async (t) => {
    const dir = scratchDirectory(t)
    const file = join(dir, "latchkey.db")
    const store = openSqlite(file)
    await addMany(store, 5000)
    await store.close()
    for (let round = 0; round < 5; round++) {
      const target = join(dir, `round${round}`)
      const child = startChild("backup", [file, target])
      await child.line()
      for (let heard = 0; heard < round; heard++) await child.line()
      await child.kill()
      for (let number = 0; existsSync(`${target}-${number}`); number++) {
        const copy = openSqlite(`${target}-${number}`)
        assert.equal((await copy.accounts({ limit: 10_000 })).length, 5000)
        await copy.close()
      }
    }
  })
})
