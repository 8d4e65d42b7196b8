import assert from "node:assert/strict"
import { join } from "node:path"
import { describe, it, type TestContext } from "node:test"
import { Checkpointer } from "../../src/store/sqlite/checkpointer.ts"
import { connect, type Connection } from "../../src/store/sqlite/connection.ts"
import { scratchDirectory } from "./scratch.ts"

const PAGE = 4096
/** More than the checkpointer copies at a time, whatever they hold. */
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

/** The pages in the log, and how many of them are in the file. Copies nothing that was not copied. */
function logOf(connection: Connection): { log: number; checkpointed: number } {
  connection.run("BEGIN")
  connection.one("SELECT count(*) FROM filling")
  connection.run("COMMIT")
  return connection.one<{ log: number; checkpointed: number }>("PRAGMA wal_checkpoint(NOOP)") ?? assert.fail()
}

describe("the thread that copies the log", () => {
  it("has a long log finished between two turns, and the next change begins it anew", async (t) => {
    const { file, connection } = database(t)
    write(connection, 5000)
    assert.ok(logOf(connection).log > 5000)
    const { promise: finished, resolve } = Promise.withResolvers<null>()
    const checkpointer = new Checkpointer(file, () => {
      // As under load: something came after the last look of the thread.
      write(connection, 3)
      connection.copyLog()
      resolve(null)
    })
    checkpointer.committed(MANY_CHANGES)
    await finished
    const { log, checkpointed } = logOf(connection)
    assert.equal(checkpointed, log)
    write(connection, 1)
    assert.ok(logOf(connection).log < 10, "the log begins anew")
    await checkpointer.close()
  })

  it("leaves a short log as it is once it is copied", async (t) => {
    const { file, connection } = database(t)
    write(connection, 100)
    const checkpointer = new Checkpointer(file, () => assert.fail("nothing is worth a wait"))
    checkpointer.committed(MANY_CHANGES)
    await checkpointer.close()
    const { log, checkpointed } = logOf(connection)
    assert.ok(log > 100)
    assert.equal(checkpointed, log)
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
