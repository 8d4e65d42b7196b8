import assert from "node:assert/strict"
import { join } from "node:path"
import { describe, it, type TestContext } from "node:test"
import { setImmediate as nextTurn } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import { decided } from "../../../../src/model/change.rules.ts"
import {
  CHANGES_BETWEEN_AT_LEAST,
  CHANGES_BETWEEN_AT_MOST,
  changesBetween,
  Checkpointer,
  COPY_MS,
} from "../../../../src/store/sqlite/engine/checkpointer.ts"
import { connect, Connection, connectToRead } from "../../../../src/store/sqlite/engine/connection.ts"
import { openSqlite } from "../../../../src/store/sqlite/sqlite-store.ts"
import { until } from "../../../support/until.ts"
import { scratchDirectory } from "../../scratch.ts"

const PAGE = 4096
/** The checkpointer copies fewer changes than this at once. */
const MANY_CHANGES = 1000

function database(t: TestContext): { file: string; connection: Connection } {
  const file = join(scratchDirectory(t), "latchkey.db")
  const connection = connect(file)
  t.after(() => connection.close())
  connection.run("CREATE TABLE filling (bytes BLOB)")
  return { file, connection }
}

function write(connection: Connection, pages: number): void {
  connection.transaction(() => {
    for (let i = 0; i < pages; i++)
      connection.run("INSERT INTO filling VALUES (?)", new Uint8Array(PAGE - 100).fill(i))
  })
}

/** Returns the number of pages in the log, and how many of them are in the file. Copies nothing itself. */
function logOf(connection: Connection): { log: number; checkpointed: number } {
  // A connection learns what others did to the log when it reads.
  connection.one("SELECT 1 FROM filling LIMIT 1")
  return connection.one<{ log: number; checkpointed: number }>("PRAGMA wal_checkpoint(NOOP)") ?? assert.fail()
}

/** Counts the orders to copy. `before` runs before each order. */
function orders(t: TestContext, before: (count: number) => void = () => undefined): { count: number } {
  const given = { count: 0 }
  const post = Reflect.get(Worker.prototype, "postMessage") as (order: unknown, transferred: []) => void
  t.mock.method(Worker.prototype, "postMessage", function (this: Worker, order: unknown) {
    if (order === "copy") before(++given.count)
    Reflect.apply(post, this, [order, []])
  })
  return given
}

/** Reports commits until there were `count` orders. An order is given only when the previous one is done. */
async function untilOrders(checkpointer: Checkpointer, of: { count: number }, count: number): Promise<void> {
  while (of.count < count) {
    checkpointer.committed(MANY_CHANGES)
    await nextTurn()
  }
}

/** The time limit for a thread that never reports its end. A slow disk takes seconds for these writes. */
const timeout = 100_000

describe("how often the log is copied", () => {
  const after = (durations: readonly number[]) =>
    durations.reduce(
      (changes, milliseconds) => changesBetween(changes, milliseconds),
      CHANGES_BETWEEN_AT_LEAST,
    )

  it("halves with every short copy, down to a limit", () => {
    assert.deepEqual([[1], [1, 1], [1, 1, 1], [COPY_MS, COPY_MS, 0]].map(after), [200, 400, 400, 400])
  })

  it("doubles with every long copy, up to a limit", () => {
    const long = COPY_MS + 0.1
    assert.equal(changesBetween(CHANGES_BETWEEN_AT_MOST, long), 200)
    assert.deepEqual(
      [[1, 1, long], [1, 1, long, long], [1, long, long], [long]].map(after),
      [200, 100, 100, 100],
    )
  })
})

describe("the thread that copies the log", { timeout }, () => {
  it("copies a long log three times, has it finished, and the next change restarts it", async (t) => {
    const { file, connection } = database(t)
    const given = orders(t)
    let finished = () => {}
    const checkpointer = new Checkpointer(file, () => {
      // Under load, a change may arrive after the last check of the thread.
      write(connection, 3)
      connection.copyLog()
      finished()
    })
    t.after(() => checkpointer.close())
    for (const round of [1, 2]) {
      write(connection, 5000)
      assert.ok(logOf(connection).log > 5000)
      await new Promise<void>((resolve) => {
        finished = resolve
        checkpointer.committed(MANY_CHANGES)
      })
      assert.equal(given.count, 3 * round)
      const { log, checkpointed } = logOf(connection)
      assert.equal(checkpointed, log)
      write(connection, 1)
      assert.ok(logOf(connection).log < 10, "the log restarts")
    }
  })

  it("counts the copies of the next long log from zero if this one restarted by itself", async (t) => {
    const { file, connection } = database(t)
    const given = orders(t, (count) => {
      // The first order has copied the whole log, so this write starts it again.
      if (count === 2) write(connection, 1)
      if (count === 4) write(connection, 5000)
    })
    const { promise: finished, resolve } = Promise.withResolvers<void>()
    const checkpointer = new Checkpointer(file, resolve)
    t.after(() => checkpointer.close())
    write(connection, 5000)
    await untilOrders(checkpointer, given, 4)
    await finished
    assert.equal(given.count, 6)
  })

  it("leaves a short log as it is once it is copied", async (t) => {
    const { file, connection } = database(t)
    write(connection, 100)
    let isFinished = false
    const checkpointer = new Checkpointer(file, () => (isFinished = true))
    t.after(() => checkpointer.close())
    await untilOrders(checkpointer, orders(t), 3)
    const { log, checkpointed } = logOf(connection)
    assert.ok(log > 100)
    assert.equal(checkpointed, log)
    assert.equal(isFinished, false)
  })

  it("has a long log finished by the store that it serves", async (t) => {
    const file = join(scratchDirectory(t), "latchkey.db")
    const store = openSqlite(file)
    // While a reader is open, the log does not start again, however fast the thread copies it.
    const reader = connectToRead(file)
    t.after(async () => {
      reader.close()
      await store.close()
    })
    reader.run("BEGIN")
    reader.one("SELECT 1 FROM setting LIMIT 1")
    const copied = t.mock.method(Connection.prototype, "copyLog")
    const value = "x".repeat(2 ** 20)
    const set = (i: number) =>
      store.change({}, () =>
        decided(null, { change: "settingSet", key: `k${i}`, value: i < 20 ? value : "" }),
      )
    await Promise.all(Array.from({ length: CHANGES_BETWEEN_AT_LEAST }, (_, i) => set(i)))
    await until(() => copied.mock.callCount() > 0, "it is finished")
  })

  it("copies in the turn of an open view, and says nothing of a database that is gone", (t) => {
    const { connection } = database(t)
    write(connection, 10)
    connection.view(() => connection.one("SELECT count(*) FROM filling"))
    connection.copyLog()
    assert.equal(connection.database.isTransaction, false)
    const { log, checkpointed } = logOf(connection)
    assert.equal(checkpointed, log)

    const gone = connect(join(scratchDirectory(t), "gone.db"))
    gone.close()
    gone.copyLog()
  })
})
